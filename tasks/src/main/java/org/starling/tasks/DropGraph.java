package org.starling.tasks;

import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.drop}: forgets a graph. */
public final class DropGraph implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of("graph.drop", "Forgets a graph and its states.")
                .with(
                        Argument.required(
                                "graph", Argument.Type.DROPPED_GRAPH, "the graph to forget"));
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        context.graphs().drop(arguments.text("graph"));
        return new TaskResult();
    }
}
