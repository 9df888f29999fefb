package org.starling.algorithms;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.GraphSession;

/**
 * Embedded clusters, one for each number of peers, shared by all test classes that are extended
 * with this class, and stopped after the last of them. Used by the thread that runs the tests.
 */
final class Clusters implements BeforeAllCallback {
    private static final long MEMORY_BYTES_PER_PEER = 256L << 20;
    private static final Map<Integer, ComputeCluster> RUNNING = new TreeMap<>();

    /** A session of the cluster that has so many peers. */
    static GraphSession session(int peers) {
        return RUNNING.computeIfAbsent(peers, Clusters::start).session(JobListener.SILENT);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(Clusters.class))
                .getOrComputeIfAbsent("stop", key -> (AutoCloseable) Clusters::stopAll);
    }

    private static ComputeCluster start(int peers) {
        return ComputeCluster.start(new ClusterOptions(peers, false, 0, MEMORY_BYTES_PER_PEER));
    }

    private static void stopAll() {
        RUNNING.values().forEach(ComputeCluster::close);
        RUNNING.clear();
    }
}
