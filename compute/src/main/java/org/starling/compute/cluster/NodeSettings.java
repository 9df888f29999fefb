package org.starling.compute.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;
import org.starling.net.ClusterSecret;
import org.starling.store.StoreConfig;

/**
 * What one process of a cluster is to be. Travels as command line arguments {@code name=value}, so
 * that a list of processes shows it; but for the secret, which travels in the environment, where
 * the same user alone can read it. Immutable.
 *
 * @param name of the process
 * @param superpeer whether it is a superpeer
 * @param index which of the superpeers; of peers it means nothing
 * @param bind where it listens
 * @param superpeers where the superpeers listen
 * @param data its data directory; null for a peer that keeps no backups
 * @param threads worker threads of a peer
 * @param heapBytes memory for chunks
 * @param rest a superpeer's front doors; null for none
 * @param runsJobs whether a peer offers itself as a master of jobs
 * @param endsWithParent whether the process ends when its standard input does
 * @param tuning what holds for all nodes
 * @param secret by which nodes know each other
 */
public record NodeSettings(
        String name,
        boolean superpeer,
        int index,
        InetSocketAddress bind,
        List<InetSocketAddress> superpeers,
        @Nullable Path data,
        int threads,
        long heapBytes,
        @Nullable RestSettings rest,
        boolean runsJobs,
        boolean endsWithParent,
        NodeTuning tuning,
        ClusterSecret secret) {
    /** The variable of a child's environment that holds the secret. */
    static final String SECRET_VARIABLE = "STARLING_SECRET";

    private static final Duration PATIENT_INTERVAL = Duration.ofMillis(500);
    private static final Duration PATIENT_SILENCE = Duration.ofSeconds(30);

    /** Copies the list. */
    public NodeSettings {
        superpeers = List.copyOf(superpeers);
    }

    /** A peer of a run that its parent leads: nothing is kept on disk. */
    public static NodeSettings child(
            InetSocketAddress superpeer,
            int threads,
            long heapBytes,
            NodeTuning tuning,
            ClusterSecret secret) {
        return new NodeSettings(
                "peer",
                false,
                0,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                List.of(superpeer),
                null,
                threads,
                heapBytes,
                null,
                false,
                true,
                tuning,
                secret);
    }

    /** Whether a new process can take the place of one on which work does not stop. */
    boolean isReplaceable() {
        return data != null && !endsWithParent;
    }

    /** With the secret of its cluster. */
    NodeSettings withSecret(ClusterSecret other) {
        return new NodeSettings(
                name,
                superpeer,
                index,
                bind,
                superpeers,
                data,
                threads,
                heapBytes,
                rest,
                runsJobs,
                endsWithParent,
                tuning,
                other);
    }

    /**
     * Sizes and times of a node of a run that its parent leads. There, a process that ends is
     * noticed by its broken connections at once; a silent one is given time, because on a busy
     * machine it is more likely to wait for a core than to be dead, and nobody could take its
     * place.
     */
    public static StoreConfig embeddedConfig(long heapBytes) {
        return StoreConfig.defaults()
                .withHeapBytes(heapBytes)
                .withHeartbeats(PATIENT_INTERVAL, PATIENT_SILENCE)
                .withRequestTimeout(PATIENT_SILENCE);
    }

    /** As arguments of {@link NodeMain}. */
    List<String> arguments() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("superpeer", Boolean.toString(superpeer));
        values.put("index", Integer.toString(index));
        values.put("bind", text(bind));
        values.put("superpeers", text(superpeers));
        values.put("data", data == null ? "" : data.toString());
        values.put("threads", Integer.toString(threads));
        values.put("heapBytes", Long.toString(heapBytes));
        values.put("rest", rest == null ? "" : rest.text());
        values.put("runsJobs", Boolean.toString(runsJobs));
        values.put("endsWithParent", Boolean.toString(endsWithParent));
        values.put("replication", Integer.toString(tuning.replication()));
        values.put("durability", tuning.durability().name());
        values.put("zoneBytes", Long.toString(tuning.zoneBytes()));
        values.put("checkpointMillis", Long.toString(tuning.checkpointInterval().toMillis()));
        values.put("transport", tuning.transport().name());
        values.put("ucxTls", tuning.ucxTls());
        values.put("ucxDevices", tuning.ucxDevices());
        values.put("tls", JsonText.write(tuning.tls().tree()));
        values.put("socketSendBytes", Integer.toString(tuning.socketSendBytes()));
        values.put("socketReceiveBytes", Integer.toString(tuning.socketReceiveBytes()));
        List<String> arguments = new ArrayList<>();
        values.forEach((key, value) -> arguments.add(key + "=" + value));
        return arguments;
    }

    /**
     * Reads arguments.
     *
     * @param secret what {@link #SECRET_VARIABLE} says, or null if it is not set
     * @throws IllegalArgumentException if they are not what {@link #arguments} makes, or there is
     *     no secret
     */
    static NodeSettings of(String[] arguments, @Nullable String secret) {
        if (secret == null) {
            throw new IllegalArgumentException(
                    "expected the cluster's secret in the variable " + SECRET_VARIABLE);
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("expected name=value, found " + argument);
            }
            values.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        String data = value(values, "data");
        String rest = value(values, "rest");
        return new NodeSettings(
                value(values, "name"),
                Boolean.parseBoolean(value(values, "superpeer")),
                Integer.parseInt(value(values, "index")),
                address(value(values, "bind")),
                addresses(value(values, "superpeers")),
                data.isEmpty() ? null : Path.of(data),
                Integer.parseInt(value(values, "threads")),
                Long.parseLong(value(values, "heapBytes")),
                rest.isEmpty() ? null : RestSettings.of(rest),
                Boolean.parseBoolean(value(values, "runsJobs")),
                Boolean.parseBoolean(value(values, "endsWithParent")),
                new NodeTuning(
                        Integer.parseInt(value(values, "replication")),
                        NodeTuning.Durability.valueOf(value(values, "durability")),
                        Long.parseLong(value(values, "zoneBytes")),
                        Duration.ofMillis(Long.parseLong(value(values, "checkpointMillis"))),
                        NodeTuning.Transport.valueOf(value(values, "transport")),
                        value(values, "ucxTls"),
                        value(values, "ucxDevices"),
                        NodeTls.of(JsonText.parse(value(values, "tls"))),
                        Integer.parseInt(value(values, "socketSendBytes")),
                        Integer.parseInt(value(values, "socketReceiveBytes"))),
                ClusterSecret.of(secret));
    }

    private static String value(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("expected an argument " + name + "=…");
        }
        return value;
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private static String text(List<InetSocketAddress> addresses) {
        return String.join(",", addresses.stream().map(NodeSettings::text).toList());
    }

    private static List<InetSocketAddress> addresses(String text) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            addresses.add(address(part));
        }
        return addresses;
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return new InetSocketAddress(
                    InetAddress.getByName(text.substring(0, Math.max(colon, 0))),
                    Integer.parseInt(text.substring(colon + 1)));
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("no address: " + text, unknown);
        }
    }
}
