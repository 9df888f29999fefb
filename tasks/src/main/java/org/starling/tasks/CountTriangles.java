package org.starling.tasks;

import org.starling.algorithms.Triangles;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.triangles}: {@link Triangles}. */
public final class CountTriangles implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.triangles",
                        "Counts triangles; leaves the states triangles and clustering.")
                .with(CommonArguments.graph())
                .with(CommonArguments.verify())
                .returns("triangles", "integer", "number of triangles")
                .returns(
                        "averageLocalClustering",
                        "number",
                        "mean of the local clustering coefficients of all vertices");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        Triangles.Result found =
                Triangles.run(context.graphs(), arguments.text("graph"), arguments.flag("verify"));
        return new TaskResult()
                .put("triangles", found.triangles())
                .put("averageLocalClustering", found.averageLocalClustering());
    }
}
