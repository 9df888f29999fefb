package org.starling.tasks;

import java.nio.file.Path;
import org.starling.algorithms.walks.RandomWalks;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.walk}: {@link RandomWalks}. */
public final class WalkGraph implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of("graph.walk", "Walks at random from every vertex.")
                .with(CommonArguments.graph())
                .with(
                        Argument.required(
                                "length",
                                Argument.Type.INTEGER,
                                "steps of a walk; it is shorter where no edge leads on"))
                .with(Argument.integer("walksPerVertex", "walks that begin at each vertex", 1))
                .with(Argument.integer("seed", "another one gives other walks", 1))
                .with(
                        Argument.flag(
                                "weighted",
                                "whether edges are as likely as they weigh, not all alike"))
                .with(
                        Argument.required(
                                "file",
                                Argument.Type.OUTPUT_FILE,
                                "where to write them: one walk per line, in the order of their"
                                        + " first vertices"))
                .with(CommonArguments.verify())
                .returns("walks", "integer", "number of walks")
                .returns("steps", "integer", "number of steps of all walks")
                .returns("file", "text", "the file that was written");
    }

    @Override
    public void check(Parameters arguments) {
        options(arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        Path file = context.outputFile(arguments.text("file"));
        RandomWalks.Result walked =
                RandomWalks.run(
                        context.graphs(),
                        arguments.text("graph"),
                        options(arguments),
                        file,
                        arguments.flag("verify"));
        return new TaskResult()
                .put("walks", walked.walks())
                .put("steps", walked.steps())
                .put("file", file.toString());
    }

    private static RandomWalks.Options options(Parameters arguments) {
        return new RandomWalks.Options(
                BoundedInteger.of("length", arguments),
                BoundedInteger.of("walksPerVertex", arguments),
                arguments.integer("seed"),
                arguments.flag("weighted"));
    }
}
