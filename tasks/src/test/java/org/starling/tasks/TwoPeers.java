package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;

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

    /**
     * Checks and runs a task on graph {@code g}.
     *
     * @param folder of its files
     * @return what comes of it
     */
    Map<String, Object> run(Path folder, String task, Map<String, ?> arguments) throws IOException {
        Parameters parameters = Parameters.of("graph", "g");
        for (Map.Entry<String, ?> argument : arguments.entrySet()) {
            parameters = parameters.with(argument.getKey(), argument.getValue());
        }
        TasksTest.task(task).check(parameters);
        return TasksTest.task(task)
                .run(new FolderContext(session(), folder.toRealPath()), parameters)
                .asMap();
    }

    /** The one session of all tests. */
    public GraphSession session() {
        if (session == null) {
            throw new IllegalStateException("no cluster yet");
        }
        return session;
    }
}
