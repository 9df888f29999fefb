package org.starling.tasks;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.GraphSession;

/** Two peers in this process, for all tests of a class. */
public final class TwoPeers implements BeforeAllCallback, AfterAllCallback {
    private @Nullable ComputeCluster cluster;
    private @Nullable GraphSession session;

    @Override
    public void beforeAll(ExtensionContext context) {
        cluster = ComputeCluster.start(ClusterOptions.of(2, false));
        session = cluster.session(JobListener.SILENT);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** The one session of all tests. */
    public GraphSession session() {
        if (session == null) {
            throw new IllegalStateException("no cluster yet");
        }
        return session;
    }
}
