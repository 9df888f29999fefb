package org.starling.tasks;

import java.io.IOException;
import java.util.List;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.EdgeFileFormat;
import org.starling.loaders.UniformProvider;

/** Task {@code generate.uniform}: edges of a uniform random graph, hashed or written. */
public final class GenerateUniformEdges implements Task {
    @Override
    public TaskSignature signature() {
        return GeneratedEdges.signature(
                "generate.uniform",
                "Generates the edges of a uniform random graph.",
                new EdgeFileFormat[] {EdgeFileFormat.TSV},
                GeneratedEdges.scale(),
                Argument.integer("edgefactor", "edges per vertex", 16),
                Argument.optional(
                        "seeds",
                        Argument.Type.UNSIGNED_LIST,
                        "two numbers that the edges depend on",
                        List.of(2L, 3L)),
                Argument.flag("weights", "whether edges have weights"));
    }

    @Override
    public void check(Parameters arguments) {
        new UniformProvider().create(arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        return GeneratedEdges.run(
                new UniformProvider().create(arguments),
                arguments.flag("weights"),
                context,
                arguments);
    }
}
