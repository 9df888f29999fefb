package org.starling.tasks;

import java.io.IOException;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.EdgeFileFormat;
import org.starling.loaders.KroneckerGraph;
import org.starling.loaders.KroneckerProvider;

/** Task {@code generate.kronecker}: edges of a Graph500 graph, hashed or written. */
public final class GenerateKroneckerEdges implements Task {
    @Override
    public TaskSignature signature() {
        return GeneratedEdges.signature(
                "generate.kronecker",
                "Generates the edges of a Graph500 Kronecker graph.",
                EdgeFileFormat.values(),
                Argument.required(
                        "scale", Argument.Type.INTEGER, "logarithm of the number of vertices"),
                Argument.integer("edgefactor", "edges per vertex", 16),
                Argument.optional(
                        "seeds",
                        Argument.Type.UNSIGNED_LIST,
                        "two numbers; 2 and 3 for the benchmark's graph"),
                Argument.flag("weights", "whether weights are written, too"));
    }

    @Override
    public void check(Parameters arguments) {
        KroneckerGraph.of(arguments);
    }

    /** The reference's hash has the weights in it, whether they are written or not. */
    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        Parameters weighted = arguments.with("weights", true);
        return GeneratedEdges.run(
                new KroneckerProvider().create(weighted),
                arguments.flag("weights"),
                context,
                arguments);
    }
}
