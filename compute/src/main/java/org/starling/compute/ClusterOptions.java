package org.starling.compute;

import java.util.Objects;
import org.starling.compute.cluster.NodeTuning;

/**
 * How a cluster is made.
 *
 * @param peers number of peers that compute, 1 to {@value #MAX_PEERS}
 * @param separateProcesses whether each peer is a process of its own; otherwise all are in this one
 * @param threadsPerPeer worker threads of each peer; 0 shares the machine's cores out
 * @param memoryBytesPerPeer native memory for each peer's chunks; 0 shares three quarters of the
 *     machine's memory out
 * @param tuning how processes talk; the rest of it is for clusters that keep data
 */
public record ClusterOptions(
        int peers,
        boolean separateProcesses,
        int threadsPerPeer,
        long memoryBytesPerPeer,
        NodeTuning tuning) {
    /** Largest number of peers on one machine. */
    public static final int MAX_PEERS = 64;

    /** Checks the numbers. */
    public ClusterOptions {
        Objects.requireNonNull(tuning, "tuning");
        if (peers < 1 || peers > MAX_PEERS) {
            throw new IllegalArgumentException(
                    "peers must be 1 to " + MAX_PEERS + ", not " + peers);
        }
        if (threadsPerPeer < 0 || memoryBytesPerPeer < 0) {
            throw new IllegalArgumentException("threads and memory must not be negative");
        }
    }

    /** Options with the usual tuning. */
    public ClusterOptions(
            int peers, boolean separateProcesses, int threadsPerPeer, long memoryBytesPerPeer) {
        this(peers, separateProcesses, threadsPerPeer, memoryBytesPerPeer, NodeTuning.DEFAULT);
    }

    /** Defaults for so many peers. */
    public static ClusterOptions of(int peers, boolean separateProcesses) {
        return new ClusterOptions(peers, separateProcesses, 0, 0);
    }

    /** Worker threads of each peer, at least 1. */
    public int threads() {
        int cores = Runtime.getRuntime().availableProcessors();
        return threadsPerPeer > 0 ? threadsPerPeer : Math.max(1, cores / peers);
    }
}
