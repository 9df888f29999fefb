package org.starling.tasks;

import org.starling.algorithms.JoinColumn;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.join}: brings a column of another graph over, by ids. */
public final class JoinGraph implements SessionTask {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.join",
                        "Brings a column of another graph over: each vertex gets the value of the vertex with the same id there, as a state.")
                .with(CommonArguments.graph())
                .with(
                        Argument.required(
                                "from",
                                Argument.Type.GRAPH,
                                "the other graph: one of the job, or one that is kept"))
                .with(
                        Argument.required(
                                "column",
                                Argument.Type.TEXT,
                                "a state, published column or property of its vertices; one that names vertices gives their ids, one of strings can't be joined"))
                .with(
                        Argument.required(
                                "as",
                                Argument.Type.TEXT,
                                "name of the state; it replaces one of that name"))
                .with(
                        Argument.optional(
                                "otherwise",
                                Argument.Type.NUMBER,
                                "what vertices get that the other graph does not have",
                                0.0));
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        JoinColumn.run(
                context.graphs(),
                arguments.text("graph"),
                arguments.text("from"),
                arguments.text("column"),
                arguments.text("as"),
                arguments.number("otherwise"));
        return new TaskResult();
    }
}
