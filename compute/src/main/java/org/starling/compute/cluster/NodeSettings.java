package org.starling.compute.cluster;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.GroupName;
import org.starling.compute.internal.group.ProcessMemory;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.graph.InvalidInputException;
import org.starling.store.NodeOptions;
import org.starling.store.Place;
import org.starling.store.StoreConfig;

/**
 * What one process of a cluster is to be. Travels as a command line argument, so that a list of
 * processes shows it. Immutable.
 *
 * @param name of the process
 * @param superpeer whether it is a superpeer
 * @param index which of the superpeers that found the cluster; {@link #NEWCOMER} to be taken in by
 *     others; of peers it means nothing
 * @param bind where it listens
 * @param advertised the host name or address by which the others reach it; null for that of {@code
 *     bind}
 * @param zone the failure domains that a peer is in, like {@code rack7/host3}; null for the host by
 *     which it is reached
 * @param superpeers where superpeers listen; those that found the cluster in the order of their
 *     node ids; not resolved
 * @param data its data directory; null for a peer that keeps no backups
 * @param threads worker threads of a peer
 * @param heapBytes memory for chunks
 * @param rest a superpeer's API endpoints; null for none
 * @param monitor where a peer tells how it is; null for nowhere, and of superpeers, whose API
 *     endpoints do
 * @param runsJobs whether a peer offers itself as a master of jobs
 * @param keeper who looks after the process
 * @param tuning what holds for all nodes
 * @param group of a peer; of superpeers it means nothing
 */
public record NodeSettings(
        String name,
        boolean superpeer,
        int index,
        InetSocketAddress bind,
        @Nullable String advertised,
        @Nullable String zone,
        List<InetSocketAddress> superpeers,
        @Nullable Path data,
        int threads,
        long heapBytes,
        @Nullable RestSettings rest,
        @Nullable MonitorSettings monitor,
        boolean runsJobs,
        Keeper keeper,
        NodeTuning tuning,
        GroupName group) {
    /** Who looks after a process. */
    public enum Keeper {
        /** Who started it, for a run: it ends when its standard input does. */
        PARENT,
        /** The folder of a cluster on this machine, where a process finds its successor. */
        FOLDER,
        /** Somebody outside, like a service manager, who starts it again when it fails. */
        OUTSIDE
    }

    /** Records of a cluster as JSON. */
    static final RecordJson JSON =
            RecordJson.PLAIN
                    .with(InetSocketAddress.class, NodeSettings::text, NodeSettings::address)
                    .with(NodeTls.class, NodeTls::tree, NodeTls::of)
                    .with(
                            GroupName.class,
                            GroupName::text,
                            tree -> new GroupName(String.valueOf(tree)));

    /** The index of a superpeer that is to be taken in by others. */
    public static final int NEWCOMER = NodeOptions.NEWCOMER;

    /** The most superpeers. */
    public static final int MAX_SUPERPEERS = NodeOptions.MAX_SUPERPEERS;

    private static final Duration PATIENT_INTERVAL = Duration.ofMillis(500);
    private static final Duration PATIENT_SILENCE = Duration.ofSeconds(30);

    /** Copies the list; host names of superpeers are resolved when they are called. */
    public NodeSettings {
        superpeers =
                superpeers.stream()
                        .map(each -> InetSocketAddress.createUnresolved(host(each), each.getPort()))
                        .toList();
    }

    /** A peer of a run that its parent leads: nothing is kept on disk. */
    public static NodeSettings child(
            InetSocketAddress superpeer, int threads, long heapBytes, NodeTuning tuning) {
        return new NodeSettings(
                "peer",
                false,
                0,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                null,
                null,
                List.of(superpeer),
                null,
                threads,
                heapBytes,
                null,
                null,
                false,
                Keeper.PARENT,
                tuning,
                GroupName.DEFAULT);
    }

    /**
     * A node that runs in the foreground of its process, on a host of its own.
     *
     * @param zone of a peer
     * @param threads see the record; 0 for as many as there are cores
     * @param heapBytes see the record; 0 for half of the machine's memory
     * @param rest a superpeer's; null of a peer
     * @param monitor a peer's
     */
    public static NodeSettings inForeground(
            String name,
            int index,
            InetSocketAddress bind,
            @Nullable String advertised,
            @Nullable String zone,
            List<InetSocketAddress> superpeers,
            Path data,
            int threads,
            long heapBytes,
            @Nullable RestSettings rest,
            @Nullable MonitorSettings monitor,
            NodeTuning tuning,
            GroupName group) {
        boolean superpeer = rest != null;
        int cores = Runtime.getRuntime().availableProcessors();
        return new NodeSettings(
                name,
                superpeer,
                index,
                bind,
                advertised,
                superpeer ? null : zone,
                superpeers,
                data,
                superpeer ? 1 : threads > 0 ? threads : cores,
                superpeer
                        ? ClusterRoster.SUPERPEER_HEAP_BYTES
                        : heapBytes > 0
                                ? heapBytes
                                : ProcessMemory.machineBytes() / ClusterRoster.MEMORY_SHARE,
                rest,
                superpeer ? null : monitor,
                !superpeer,
                Keeper.OUTSIDE,
                tuning,
                superpeer ? GroupName.DEFAULT : group);
    }

    /**
     * Checks a name of failure domains before it becomes part of the settings.
     *
     * @throws InvalidInputException if it is none
     */
    public static String checkedZone(String zone) {
        try {
            return new Place(zone).path();
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** The host name or address by which the others reach it. */
    public String reachedBy() {
        return advertised == null ? bind.getAddress().getHostAddress() : advertised;
    }

    /** Whether a new process can take the place of one on which work does not stop. */
    boolean isReplaceable() {
        return data != null && keeper != Keeper.PARENT;
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

    private static String host(InetSocketAddress address) {
        return address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
    }

    private static String text(InetSocketAddress address) {
        return host(address) + ":" + address.getPort();
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
