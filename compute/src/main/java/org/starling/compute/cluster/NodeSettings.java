package org.starling.compute.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.GroupName;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.store.StoreConfig;

/**
 * What one process of a cluster is to be. Travels as a command line argument, so that a list of
 * processes shows it. Immutable.
 *
 * @param name of the process
 * @param superpeer whether it is a superpeer
 * @param index which of the superpeers; of peers it means nothing
 * @param bind where it listens
 * @param superpeers where the superpeers listen
 * @param data its data directory; null for a peer that keeps no backups
 * @param threads worker threads of a peer
 * @param heapBytes memory for chunks
 * @param rest a superpeer's API endpoints; null for none
 * @param runsJobs whether a peer offers itself as a master of jobs
 * @param endsWithParent whether the process ends when its standard input does
 * @param tuning what holds for all nodes
 * @param group of a peer; of superpeers it means nothing
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
        GroupName group) {
    /** Records of a cluster as JSON. */
    static final RecordJson JSON =
            RecordJson.PLAIN
                    .with(InetSocketAddress.class, NodeSettings::text, NodeSettings::address)
                    .with(NodeTls.class, NodeTls::tree, NodeTls::of)
                    .with(
                            GroupName.class,
                            GroupName::text,
                            tree -> new GroupName(String.valueOf(tree)));

    private static final Duration PATIENT_INTERVAL = Duration.ofMillis(500);
    private static final Duration PATIENT_SILENCE = Duration.ofSeconds(30);

    /** Copies the list. */
    public NodeSettings {
        superpeers = List.copyOf(superpeers);
    }

    /** A peer of a run that its parent leads: nothing is kept on disk. */
    public static NodeSettings child(
            InetSocketAddress superpeer, int threads, long heapBytes, NodeTuning tuning) {
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
                GroupName.DEFAULT);
    }

    /** Whether a new process can take the place of one on which work does not stop. */
    boolean isReplaceable() {
        return data != null && !endsWithParent;
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

    /** As the argument of {@link NodeProcess}. */
    String argument() {
        return JsonText.write(JSON.tree(this));
    }

    /**
     * Reads an argument.
     *
     * @throws IllegalArgumentException if it is not what {@link #argument} makes
     */
    static NodeSettings of(String argument) {
        return JSON.of(NodeSettings.class, JsonText.parse(argument));
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private static InetSocketAddress address(@Nullable Object tree) {
        String text = String.valueOf(tree);
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
