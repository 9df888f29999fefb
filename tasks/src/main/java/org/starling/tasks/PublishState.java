package org.starling.tasks;

import org.starling.graph.Argument;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.publish}: a state becomes a column of a kept graph. */
public final class PublishState implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.publish",
                        "Writes a state of a kept graph as a column of it, which outlives the job.")
                .with(CommonArguments.graph())
                .with(
                        Argument.required(
                                "state",
                                Argument.Type.TEXT,
                                "the state, for example the one that graph.pagerank leaves"))
                .with(
                        Argument.required(
                                "as",
                                Argument.Type.TEXT,
                                "name of the column; later tasks and jobs read it like a state"))
                .with(
                        Argument.flag(
                                "replace",
                                "whether it may take the place of a column of that name"));
    }

    @Override
    public void check(Parameters arguments) {
        GraphSession.requireColumnName(arguments.text("as"));
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        context.graphs()
                .publish(
                        arguments.text("graph"),
                        arguments.text("state"),
                        arguments.text("as"),
                        arguments.flag("replace"));
        return new TaskResult();
    }
}
