package org.starling.tasks;

import org.starling.algorithms.LocalClustering;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.lcc}: {@link LocalClustering}. */
public final class MeasureClustering implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.lcc",
                        "Computes every vertex's local clustering coefficient; leaves the state"
                                + " clustering.")
                .with(CommonArguments.graph())
                .with(CommonArguments.verify())
                .returns("average", "number", "mean of the coefficients of all vertices");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        LocalClustering.Result found =
                LocalClustering.run(
                        context.graphs(), arguments.text("graph"), arguments.flag("verify"));
        return new TaskResult().put("average", found.average());
    }
}
