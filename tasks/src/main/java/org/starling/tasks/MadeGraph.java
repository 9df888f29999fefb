package org.starling.tasks;

import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** What every task that makes a graph answers. */
final class MadeGraph {
    private MadeGraph() {}

    static TaskSignature results(TaskSignature signature) {
        return signature
                .returns("vertices", "integer", "number of vertices")
                .returns("edges", "integer", "number of edges; an undirected one counts once")
                .returns("directed", "boolean", "whether edges have a direction")
                .returns("skippedSelfLoops", "integer", "edges dropped: both ends were the same")
                .returns("skippedDuplicates", "integer", "edges dropped: there was an equal one");
    }

    static TaskResult result(BuildResult made) {
        GraphInfo graph = made.graph();
        return new TaskResult()
                .put("vertices", graph.vertices())
                .put("edges", graph.edges())
                .put("directed", graph.directed())
                .put("skippedSelfLoops", made.skippedSelfLoops())
                .put("skippedDuplicates", made.skippedDuplicates());
    }
}
