package org.starling.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.NodeTuning;

/**
 * The configuration of embedded runs and of clusters, as {@code starling.json} holds it. Immutable.
 *
 * @param peers number of peers that compute
 * @param processes whether each peer is a process of its own
 * @param threadsPerPeer threads of each peer; 0 for the machine's cores divided by the peers
 * @param memoryPerPeer memory for graphs at each peer; 0 bytes for what the machine has
 * @param transport how peers talk
 * @param progressInterval time between two lines of progress
 * @param cancelTimeout how long a cancelled job may take to stop
 * @param cluster what is about clusters that outlive a command
 */
record Settings(
        int peers,
        boolean processes,
        int threadsPerPeer,
        ByteSize memoryPerPeer,
        Transport transport,
        Duration progressInterval,
        Duration cancelTimeout,
        ClusterSettings cluster) {
    /** Largest number of peers of an embedded run. */
    static final int MAX_PEERS = 64;

    /** Largest number of threads of a peer. */
    static final int MAX_THREADS = 1024;

    /** Smallest memory of a peer. */
    static final ByteSize MIN_MEMORY = new ByteSize(64L << 20);

    /** What holds where nothing is said. */
    static final Settings DEFAULT =
            new Settings(
                    1,
                    false,
                    0,
                    new ByteSize(0),
                    Transport.AUTO,
                    Duration.ofMillis(500),
                    Duration.ofSeconds(10),
                    ClusterSettings.DEFAULT);

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

    Settings withPeers(int count) {
        return new Settings(
                count,
                processes,
                threadsPerPeer,
                memoryPerPeer,
                transport,
                progressInterval,
                cancelTimeout,
                cluster);
    }

    Settings withProcesses() {
        return new Settings(
                peers,
                true,
                threadsPerPeer,
                memoryPerPeer,
                transport,
                progressInterval,
                cancelTimeout,
                cluster);
    }

    /** With as many superpeers. */
    Settings withSuperpeers(int count) {
        return new Settings(
                peers,
                processes,
                threadsPerPeer,
                memoryPerPeer,
                transport,
                progressInterval,
                cancelTimeout,
                cluster.withSuperpeers(count));
    }

    /** With names of files that are relative to a folder made absolute. */
    Settings within(Path folder) {
        return new Settings(
                peers,
                processes,
                threadsPerPeer,
                memoryPerPeer,
                transport,
                progressInterval,
                cancelTimeout,
                cluster.within(folder));
    }

    /** What holds for all nodes of a cluster of processes. */
    NodeTuning tuning() {
        return cluster.tuning(
                transport == Transport.INFINIBAND
                        ? NodeTuning.Transport.INFINIBAND
                        : NodeTuning.Transport.ETHERNET);
    }

    /**
     * The cluster that is to live in a folder.
     *
     * @param roots folders that submitted scripts may use
     */
    ClusterPlan plan(Path folder, List<Path> roots) {
        return new ClusterPlan(
                folder,
                cluster.superpeers(),
                peers,
                threadsPerPeer,
                memoryPerPeer.bytes(),
                cluster.basePort(),
                cluster.restPort(),
                tuning(),
                roots,
                false);
    }

    /** As JSON, every value written out. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("peers", peers);
        tree.put("processes", processes);
        tree.put("threadsPerPeer", threadsPerPeer == 0 ? SettingsFile.AUTO : threadsPerPeer);
        tree.put("memoryPerPeer", SettingsFile.sizeOrAuto(memoryPerPeer));
        tree.put("transport", SettingsFile.word(transport));
        tree.put("progressInterval", TimeSpan.format(progressInterval));
        tree.put("cancelTimeout", TimeSpan.format(cancelTimeout));
        tree.putAll(cluster.tree());
        return tree;
    }
}
