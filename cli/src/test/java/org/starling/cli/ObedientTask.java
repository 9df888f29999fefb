package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code test.obey}: does what a test wants to see, in this process or in another. */
public final class ObedientTask implements Task {
    private static final long PAUSE_NANOS = 1_000_000;

    @Override
    public TaskSignature signature() {
        return TaskSignature.of("test.obey", "Does as it is told.")
                .with(
                        Argument.choice(
                                "order",
                                "what to do",
                                "answer",
                                "fail",
                                "refuse",
                                "break",
                                "exhaust",
                                "wait"))
                .with(Argument.optional("file", Argument.Type.OUTPUT_FILE, "made when it begins"))
                .with(Argument.optional("number", Argument.Type.INTEGER, "what to answer", 42))
                .returns("number", "integer", "as given")
                .returns("list", "list", "of a few numbers");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        context.progress("obeying", 1, 2);
        if (arguments.has("file")) {
            Path file = context.outputFile(arguments.text("file"));
            Files.writeString(file, "begun");
        }
        switch (arguments.text("order")) {
            case "fail" -> throw new JobFailedException("told to fail");
            case "refuse" -> throw new InvalidInputException("told to refuse");
            case "break" -> throw new IllegalStateException("told to break");
            case "exhaust" -> throw new OutOfMemoryError("told to exhaust");
            case "wait" -> waitForCancel(context);
            default -> {}
        }
        return new TaskResult()
                .put("number", arguments.integer("number"))
                .put("list", List.of(1, 2))
                .put("map", Map.of("5", 2));
    }

    private static void waitForCancel(TaskContext context) {
        while (true) {
            context.checkCancelled();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
