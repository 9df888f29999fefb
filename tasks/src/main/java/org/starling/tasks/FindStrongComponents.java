package org.starling.tasks;

import org.starling.algorithms.scc.StronglyConnectedComponents;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.scc}: {@link StronglyConnectedComponents}. */
public final class FindStrongComponents implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.scc",
                        "Finds strongly connected components; leaves the state component.")
                .with(CommonArguments.graph())
                .with(CommonArguments.verify())
                .returns("components", "integer", "number of components")
                .returns("largest", "integer", "vertices of the largest one");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        StronglyConnectedComponents.Result found =
                StronglyConnectedComponents.run(
                        context.graphs(), arguments.text("graph"), arguments.flag("verify"));
        return new TaskResult()
                .put("components", found.components())
                .put("largest", found.largest());
    }
}
