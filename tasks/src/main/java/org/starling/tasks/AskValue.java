package org.starling.tasks;

import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.graph.VertexValue;

/** Task {@code graph.value}: what a state or a column has for one vertex. */
public final class AskValue implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.value",
                        "Tells the value that a state, a property or a published column has for a"
                                + " vertex.")
                .with(CommonArguments.graph())
                .with(
                        Argument.required(
                                "column",
                                Argument.Type.TEXT,
                                "name of the state that a task has left, of a property, or of a"
                                        + " column"))
                .with(CommonArguments.vertex("id", "id of the vertex"))
                .returns("type", "text", "type of the column")
                .returns(
                        "value",
                        "any",
                        "a number, true or false, a list of them, a text, or an id; null for none,"
                                + " or for no finite number");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        VertexValue found =
                context.graphs()
                        .queries()
                        .value(
                                arguments.text("graph"),
                                arguments.text("column"),
                                arguments.integer("id"));
        return new TaskResult().put("type", found.type()).put("value", found.value());
    }
}
