package org.starling.tasks;

import org.starling.algorithms.Sssp;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.sssp}: {@link Sssp}. */
public final class FindShortestPaths implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.sssp",
                        "Finds the lengths of shortest paths from one vertex; leaves them as a"
                                + " state, infinite where there is no path.")
                .with(CommonArguments.graph())
                .with(CommonArguments.source())
                .with(
                        Argument.optional(
                                "state",
                                Argument.Type.TEXT,
                                "name of the state of distances",
                                Sssp.DISTANCE))
                .with(
                        Argument.flag(
                                "parents",
                                "whether to leave the state parent, too: the vertex before on a"
                                        + " shortest path"))
                .with(CommonArguments.verify())
                .returns("source", "id", "the vertex it started from")
                .returns("reached", "integer", "vertices reached, the source included")
                .returns("maxDistance", "number", "largest distance of a vertex reached")
                .returns("sumDistance", "number", "sum of the distances of all vertices reached")
                .returns("verified", "boolean", "whether the result was checked");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        Sssp.Result found =
                Sssp.run(
                        context.graphs(),
                        arguments.text("graph"),
                        arguments.integer("source"),
                        new Sssp.Options(
                                arguments.text("state"),
                                arguments.flag("parents"),
                                arguments.flag("verify")));
        return new TaskResult()
                .put("source", context.graphs().shown(arguments.text("graph"), found.source()))
                .put("reached", found.reached())
                .put("maxDistance", found.maxDistance())
                .put("sumDistance", found.sumDistance())
                .put("verified", found.verified());
    }
}
