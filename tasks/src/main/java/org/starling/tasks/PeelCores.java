package org.starling.tasks;

import org.starling.algorithms.KCore;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.kcore}: {@link KCore}. */
public final class PeelCores implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.kcore", "Finds every vertex's core number; leaves the state core.")
                .with(CommonArguments.graph())
                .with(CommonArguments.verify())
                .returns("maxCore", "integer", "the largest core number")
                .returns("inMaxCore", "integer", "vertices that have it");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        KCore.Result found =
                KCore.run(context.graphs(), arguments.text("graph"), arguments.flag("verify"));
        return new TaskResult().put("maxCore", found.maxCore()).put("inMaxCore", found.inMaxCore());
    }
}
