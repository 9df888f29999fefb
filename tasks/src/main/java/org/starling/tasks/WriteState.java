package org.starling.tasks;

import java.nio.file.Path;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.write}: a state column as a file, or as many. */
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
                .with(
                        Argument.flag(
                                "parts",
                                "write many files at once, FILE.part-00000.STAMP in the order of"
                                        + " ordinals; the file then names them"))
                .returns("file", "text", "the file that was written");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        Path file = context.outputFile(arguments.text("file"));
        String graph = arguments.text("graph");
        String state = arguments.text("state");
        if (arguments.flag("parts")) {
            context.graphs().writeParts(graph, state, file);
        } else {
            context.graphs().write(graph, state, file);
        }
        return new TaskResult().put("file", file.toString());
    }
}
