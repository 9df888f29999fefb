package org.starling.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.GroupName;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.NodeSettings;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.NodeTuning;
import org.starling.compute.inputs.WebHosts;
import org.starling.compute.jars.JarRules;
import org.starling.graph.InvalidInputException;

/**
 * The configuration of embedded runs and of clusters, as {@code starling.json} holds it; {@code
 * docs/CONFIGURATION.md} says what each key means. Immutable.
 *
 * @param said values of those settings that do not have their default
 */
record Settings(Map<Setting<?>, Object> said) {
    /** Largest number of peers of an embedded run. */
    static final int MAX_PEERS = 64;

    /** The largest there is. */
    static final int MAX_PORT = 65_535;

    private static final int MAX_THREADS = 1024;
    private static final int MAX_FOLDERS = 16;
    private static final long MIN_MEMORY_BYTES = 64L << 20;
    private static final NodeTuning USUAL = NodeTuning.DEFAULT;

    /** How peers talk. */
    enum Transport {
        /** Loopback in one process, Ethernet between processes. */
        AUTO,
        /** Copying inside one process. */
        LOOPBACK,
        /** TCP, between processes. */
        ETHERNET,
        /** UCX, between processes: InfiniBand where the machine has it. */
        INFINIBAND
    }

    /** What one node is. */
    enum Role {
        /** Stores and computes. */
        PEER,
        /** Keeps the directory. */
        SUPERPEER
    }

    static final Setting<Integer> PEERS = Setting.whole("peers", 1, 1, MAX_PEERS);
    static final Setting<Boolean> PROCESSES = Setting.flag("processes", false);
    static final Setting<Integer> THREADS =
            Setting.whole("threadsPerPeer", 1, 1, MAX_THREADS).orAuto(0);
    static final Setting<Long> MEMORY =
            Setting.bytes("memoryPerPeer", 0, MIN_MEMORY_BYTES, Long.MAX_VALUE).orAuto(0L);
    static final Setting<Transport> TRANSPORT = Setting.word("transport", Transport.AUTO);
    static final Setting<Duration> PROGRESS_INTERVAL =
            Setting.time("progressInterval", Duration.ofMillis(500));
    static final Setting<Duration> CANCEL_TIMEOUT =
            Setting.time("cancelTimeout", Duration.ofSeconds(10));
    static final Setting<Integer> SUPERPEERS = Setting.oneOf("superpeers", 1, 3);
    static final Setting<Integer> REPLICATION =
            Setting.whole("replication", USUAL.replication(), 0, NodeTuning.MAX_REPLICATION);
    static final Setting<NodeTuning.Durability> DURABILITY =
            Setting.word("durability", USUAL.durability());
    static final Setting<Long> ZONE_BYTES =
            Setting.bytes(
                    "zoneBytes",
                    USUAL.zoneBytes(),
                    NodeTuning.MIN_ZONE_BYTES,
                    NodeTuning.MAX_ZONE_BYTES);
    static final Setting<Duration> CHECKPOINT_INTERVAL =
            Setting.time("checkpointInterval", USUAL.checkpointInterval())
                    .that(Duration::isPositive, "more than no time at all");
    static final Setting<Duration> LEAVE_TIMEOUT =
            Setting.time("leaveTimeout", USUAL.leaveTimeout())
                    .that(
                            time -> time.compareTo(NodeTuning.MAX_LEAVE_TIMEOUT) <= 0,
                            "an hour at most");
    static final Setting<String> DATA_DIRECTORY =
            Setting.folder("dataDirectory", ".starling/cluster");
    static final Setting<Integer> BASE_PORT =
            Setting.whole("basePort", ClusterPlan.USUAL_BASE_PORT, 1, ClusterPlan.MAX_PORT);
    static final Setting<Integer> REST_PORT =
            Setting.whole("restPort", ClusterPlan.USUAL_REST_PORT, 1, ClusterPlan.MAX_PORT);
    static final Setting<String> UCX_TLS =
            Setting.names("ucxTls", "[A-Za-z0-9_^:]+", "UCX transports like \"posix,self\"")
                    .orAuto("");
    static final Setting<String> UCX_DEVICES =
            Setting.names(
                            "ucxDevices",
                            "[A-Za-z0-9_.:-]+",
                            "network devices like \"mlx5_0:1\" or \"eth0\"")
                    .orAuto("");
    static final Setting<NodeTls> TLS =
            new Setting<>("tls", USUAL.tls(), NodeTls::of, NodeTls::tree);
    static final Setting<Long> SOCKET_SEND_BYTES = socketBytes("socketSendBytes");
    static final Setting<Long> SOCKET_RECEIVE_BYTES = socketBytes("socketReceiveBytes");
    static final Setting<Integer> MAX_CONNECTIONS =
            Setting.whole(
                    "maxConnections",
                    USUAL.maxConnections(),
                    NodeTuning.MIN_CONNECTIONS,
                    NodeTuning.MAX_CONNECTIONS);
    static final Setting<Boolean> USER_CODE = Setting.flag("userCode", JarRules.DEFAULT.allowed());
    static final Setting<Long> MAX_JAR_BYTES =
            Setting.bytes(
                    "maxJarBytes",
                    JarRules.DEFAULT.maxBytes(),
                    JarRules.MIN_BYTES,
                    JarRules.MAX_BYTES);
    static final Setting<Integer> MAX_RUNNING_JOBS =
            Setting.whole("maxRunningJobs", USUAL.maxRunningJobs(), 1, NodeTuning.MAX_RUNNING_JOBS);
    static final Setting<Map<String, Integer>> GROUPS =
            new Setting<>("groups", Map.of(), PeerGroups::read, groups -> groups);
    static final Setting<List<String>> ALLOW = Setting.folders("allow", MAX_FOLDERS);
    static final Setting<WebHosts> ALLOW_URLS = Setting.hosts("allowUrls");

    static final Setting<Role> ROLE = Setting.word("role", Role.PEER);
    static final Setting<String> SEEDS = Setting.line("seeds").orAuto("");
    static final Setting<String> LISTEN = Setting.line("listen", "127.0.0.1");
    static final Setting<String> ADVERTISE = Setting.line("advertise").orAuto("");
    static final Setting<String> ZONE =
            new Setting<>("zone", "", Settings::zone, zone -> zone).orAuto("");
    static final Setting<PortRange> PORT = Setting.ports("port", ClusterPlan.USUAL_BASE_PORT);
    static final Setting<String> KEYS = Setting.folder("keys", ".starling/keys");
    static final Setting<String> GROUP = Setting.line("group", GroupName.DEFAULT.text());
    static final Setting<Boolean> INSECURE = Setting.flag("insecure", false);
    static final Setting<Boolean> REST_MUTUAL_TLS = Setting.flag("restMutualTls", false);

    /** All there are, in the order in which they are written. */
    static final List<Setting<?>> ALL =
            List.of(
                    PEERS,
                    PROCESSES,
                    THREADS,
                    MEMORY,
                    TRANSPORT,
                    PROGRESS_INTERVAL,
                    CANCEL_TIMEOUT,
                    SUPERPEERS,
                    REPLICATION,
                    DURABILITY,
                    ZONE_BYTES,
                    CHECKPOINT_INTERVAL,
                    LEAVE_TIMEOUT,
                    DATA_DIRECTORY,
                    BASE_PORT,
                    REST_PORT,
                    UCX_TLS,
                    UCX_DEVICES,
                    TLS,
                    SOCKET_SEND_BYTES,
                    SOCKET_RECEIVE_BYTES,
                    MAX_CONNECTIONS,
                    USER_CODE,
                    MAX_JAR_BYTES,
                    MAX_RUNNING_JOBS,
                    GROUPS,
                    ALLOW,
                    ALLOW_URLS,
                    ROLE,
                    SEEDS,
                    LISTEN,
                    ADVERTISE,
                    ZONE,
                    PORT,
                    KEYS,
                    GROUP,
                    INSECURE,
                    REST_MUTUAL_TLS);

    /** What holds where nothing is said. */
    static final Settings DEFAULT = new Settings(Map.of());

    /** A host or a rack may have a number for a name. */
    private static String zone(Object value) {
        return NodeSettings.checkedZone(
                value instanceof String || value instanceof Long ? value.toString() : "/");
    }

    private static Setting<Long> socketBytes(String key) {
        return Setting.bytes(key, 0, NodeTuning.MIN_SOCKET_BYTES, NodeTuning.MAX_SOCKET_BYTES)
                .orAuto(0L);
    }

    /** What holds. */
    @SuppressWarnings("unchecked") // only with() puts values in
    <T> T get(Setting<T> setting) {
        return (T) said.getOrDefault(setting, setting.otherwise());
    }

    /** The same with another value. */
    <T> Settings with(Setting<T> setting, T value) {
        Map<Setting<?>, Object> more = new HashMap<>(said);
        if (value.equals(setting.otherwise())) {
            more.remove(setting);
        } else {
            more.put(setting, value);
        }
        return new Settings(Map.copyOf(more));
    }

    /** With names of files that are relative to a folder made absolute. */
    Settings within(Path folder) {
        List<String> allowed =
                get(ALLOW).stream()
                        .map(name -> folder.resolve(name).normalize().toString())
                        .toList();
        return with(TLS, get(TLS).within(folder)).with(ALLOW, allowed);
    }

    /** The same, with more web servers that scripts may read from. */
    Settings withHosts(List<String> more) {
        List<String> all = new ArrayList<>(get(ALLOW_URLS).entries());
        all.addAll(more);
        return with(ALLOW_URLS, new WebHosts(all));
    }

    /** Throws if a transport was asked for that the peers can't use, or keys that are not there. */
    void checkTransport() {
        Transport transport = get(TRANSPORT);
        if (transport == Transport.LOOPBACK && get(PROCESSES)) {
            throw new InvalidInputException(
                    "transport: separate processes can't use loopback; take \"ethernet\" or \"auto\"");
        }
        boolean sockets = transport == Transport.ETHERNET || transport == Transport.INFINIBAND;
        if (sockets && !get(PROCESSES)) {
            throw new InvalidInputException(
                    "transport: peers in one process use loopback; take \"auto\" or separate processes");
        }
        if (transport == Transport.INFINIBAND && get(TLS) != NodeTls.Word.OFF) {
            throw new InvalidInputException(
                    "tls: there is none over infiniband; take \"off\" or the transport \"ethernet\"");
        }
        for (Path file : get(TLS).needed()) {
            if (!Files.isReadable(file)) {
                throw new InvalidInputException(
                        "tls: there is no file " + file + " that can be read");
            }
        }
    }

    /** What holds for all nodes of a cluster of processes. */
    NodeTuning tuning() {
        return new NodeTuning(
                get(REPLICATION),
                get(DURABILITY),
                get(ZONE_BYTES),
                get(CHECKPOINT_INTERVAL),
                get(TRANSPORT) == Transport.INFINIBAND
                        ? NodeTuning.Transport.INFINIBAND
                        : NodeTuning.Transport.ETHERNET,
                get(UCX_TLS),
                get(UCX_DEVICES),
                get(TLS),
                get(SOCKET_SEND_BYTES).intValue(),
                get(SOCKET_RECEIVE_BYTES).intValue(),
                get(MAX_CONNECTIONS),
                get(MAX_RUNNING_JOBS),
                jarRules(),
                get(ALLOW_URLS).entries(),
                get(LEAVE_TIMEOUT));
    }

    /** What holds for code of users. */
    JarRules jarRules() {
        return new JarRules(get(USER_CODE), get(MAX_JAR_BYTES));
    }

    /**
     * The cluster that is to live in a folder.
     *
     * @param roots folders that submitted scripts may use
     */
    ClusterPlan plan(Path folder, List<Path> roots, boolean supervised) {
        return new ClusterPlan(
                folder,
                get(SUPERPEERS),
                get(PEERS),
                get(THREADS),
                get(MEMORY),
                get(BASE_PORT),
                get(REST_PORT),
                tuning(),
                roots,
                supervised,
                get(GROUPS),
                List.of());
    }

    /** As JSON, every value written out. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        ALL.forEach(setting -> tree.put(setting.key(), written(setting)));
        return tree;
    }

    private <T> @Nullable Object written(Setting<T> setting) {
        return setting.write().apply(get(setting));
    }
}
