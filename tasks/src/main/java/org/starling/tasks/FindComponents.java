package org.starling.tasks;

import org.starling.algorithms.components.ConnectedComponents;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.wcc}: {@link ConnectedComponents}. */
public final class FindComponents implements SessionTask {
    @Override
    public TaskSignature signature() {
        return CountedComponents.signature(
                "graph.wcc",
                "Finds weakly connected components; leaves the state component: one of its"
                        + " vertices, the same for all of them.");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        ConnectedComponents.Result found =
                ConnectedComponents.run(
                        context.graphs(), arguments.text("graph"), arguments.flag("verify"));
        return CountedComponents.result(found.components(), found.largest());
    }
}
