package org.starling.tasks;

import org.starling.algorithms.Bfs;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.bfs}: {@link Bfs}. */
public final class SearchGraph implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.bfs",
                        "Searches breadth-first from one vertex; leaves the states level and"
                                + " parent, -1 for vertices that were not reached; the source is"
                                + " its own parent.")
                .with(CommonArguments.graph())
                .with(CommonArguments.source())
                .with(CommonArguments.verify())
                .returns("source", "id", "the vertex it started from")
                .returns("reached", "integer", "vertices reached, the source included")
                .returns("levels", "list of integers", "vertices by level, from 0")
                .returns("verified", "boolean", "whether the result was checked");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        Bfs.Result found =
                Bfs.run(
                        context.graphs(),
                        arguments.text("graph"),
                        arguments.integer("source"),
                        arguments.flag("verify"));
        return new TaskResult()
                .put("source", context.graphs().shown(arguments.text("graph"), found.source()))
                .put("reached", found.reached())
                .put("levels", found.levels())
                .put("verified", found.verified());
    }
}
