package org.starling.tasks;

import org.starling.algorithms.LabelPropagation;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.cdlp}: {@link LabelPropagation}. */
public final class FindCommunities implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.cdlp",
                        "Finds communities by label propagation; leaves the state community, or"
                                + " as it is named: an id for each vertex.")
                .with(CommonArguments.graph())
                .with(
                        Argument.required(
                                "iterations",
                                Argument.Type.INTEGER,
                                "number of rounds, at least 1"))
                .with(
                        Argument.optional(
                                "state",
                                Argument.Type.TEXT,
                                "name of the state to leave",
                                LabelPropagation.COMMUNITY))
                .with(CommonArguments.verify())
                .returns("communities", "integer", "number of different labels")
                .returns("largest", "integer", "vertices that have the most frequent one");
    }

    @Override
    public void check(Parameters arguments) {
        BoundedInteger.of("iterations", arguments, 1);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        LabelPropagation.Result found =
                LabelPropagation.run(
                        context.graphs(),
                        arguments.text("graph"),
                        BoundedInteger.of("iterations", arguments),
                        arguments.text("state"),
                        arguments.flag("verify"));
        return new TaskResult()
                .put("communities", found.communities())
                .put("largest", found.largest());
    }
}
