package org.starling.tasks;

import java.nio.file.Path;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.write}: a state column as a file. */
public final class WriteState implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.write",
                        "Writes a state as lines \"id value\", in the order of ids; a state that"
                                + " names vertices with their ids, -1 for none.")
                .with(CommonArguments.graph())
                .with(
                        Argument.required(
                                "state", Argument.Type.TEXT, "name of the state, left by a task"))
                .with(
                        Argument.required(
                                "file", Argument.Type.OUTPUT_FILE, "where to; replaced if there"))
                .returns("file", "text", "the file that was written");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        Path file = context.outputFile(arguments.text("file"));
        context.graphs().write(arguments.text("graph"), arguments.text("state"), file);
        return new TaskResult().put("file", file.toString());
    }
}
