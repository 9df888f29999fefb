package org.starling.tasks;

import java.nio.file.Path;
import org.starling.algorithms.MaximalCliques;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.cliques}: {@link MaximalCliques}. */
public final class FindCliques implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of("graph.cliques", "Finds all maximal cliques.")
                .with(CommonArguments.graph())
                .with(Argument.integer("minimumSize", "smaller cliques are left out", 1))
                .with(
                        Argument.optional(
                                "file",
                                Argument.Type.OUTPUT_FILE,
                                "where to write them: one clique per line, ids ascending"))
                .with(CommonArguments.verify())
                .returns("maximalCliques", "integer", "number of maximal cliques")
                .returns("maximumSize", "integer", "vertices of the largest one")
                .returns("sizeHistogram", "object", "number of cliques by size")
                .returns("file", "text", "the file that was written, if one was asked for");
    }

    @Override
    public void check(Parameters arguments) {
        BoundedInteger.of("minimumSize", arguments, 1);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        Path file = arguments.has("file") ? context.outputFile(arguments.text("file")) : null;
        MaximalCliques.Result found =
                MaximalCliques.run(
                        context.graphs(),
                        arguments.text("graph"),
                        BoundedInteger.of("minimumSize", arguments),
                        file,
                        arguments.flag("verify"));
        TaskResult result =
                new TaskResult()
                        .put("maximalCliques", found.maximalCliques())
                        .put("maximumSize", found.maximumSize())
                        .put("sizeHistogram", found.sizeHistogram());
        return file == null ? result : result.put("file", file.toString());
    }
}
