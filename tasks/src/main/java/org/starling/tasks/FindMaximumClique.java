package org.starling.tasks;

import org.starling.algorithms.MaximumClique;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.maximumClique}: {@link MaximumClique}. */
public final class FindMaximumClique implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.maximumClique",
                        "Finds a largest clique; leaves the state maximumClique.")
                .with(CommonArguments.graph())
                .with(CommonArguments.verify())
                .returns("size", "integer", "number of its members")
                .returns("members", "list of ids", "ids of its members, ascending")
                .returns("proven", "boolean", "whether verify showed that there is no larger one");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        MaximumClique.Result found =
                MaximumClique.run(
                        context.graphs(), arguments.text("graph"), arguments.flag("verify"));
        return new TaskResult()
                .put("size", found.size())
                .put("members", context.graphs().shown(arguments.text("graph"), found.members()))
                .put("proven", found.proven());
    }
}
