package org.starling.benchmarks.graph500;

import java.io.IOException;
import java.nio.file.Path;
import org.starling.graph.Argument;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.EdgeFileFormat;
import org.starling.loaders.EdgeHash;
import org.starling.loaders.KroneckerGraph;
import org.starling.loaders.KroneckerRun;

/**
 * Task {@code generate.kronecker}: generates the edges of a Graph500 graph on all cores of the
 * master, hashes them and, if a file is named, writes them there. No graph is made in the cluster.
 */
public final class KroneckerTask implements Task {

    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "generate.kronecker", "Generates the edges of a Graph500 Kronecker graph.")
                .with(
                        Argument.required(
                                "scale",
                                Argument.Type.INTEGER,
                                "logarithm of the number of vertices"))
                .with(
                        Argument.optional(
                                "edgefactor", Argument.Type.INTEGER, "edges per vertex", 16L))
                .with(
                        Argument.optional(
                                "seeds",
                                Argument.Type.UNSIGNED_LIST,
                                "two numbers; 2 and 3 for the benchmark's graph"))
                .with(
                        Argument.optional(
                                "weights",
                                Argument.Type.FLAG,
                                "whether weights are written, too",
                                false))
                .with(Argument.optional("file", Argument.Type.OUTPUT_FILE, "where to write edges"))
                .with(
                        Argument.choice(
                                "format",
                                "how edges are written",
                                EdgeFileFormat.TSV.title(),
                                EdgeFileFormat.GRAPH500.title(),
                                EdgeFileFormat.GRAPH500_PACKED.title()))
                .returns("edges", "integer", "number of edges")
                .returns("sumSource", "text", "sum of all sources, decimal")
                .returns("sumTarget", "text", "sum of all targets, decimal")
                .returns("edgeHash", "text", "hash of all edges, hexadecimal")
                .returns("weightHash", "text", "hash of all weights, hexadecimal");
    }

    @Override
    public void check(Parameters arguments) {
        KroneckerGraph.of(arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        KroneckerRun run =
                new KroneckerRun(
                        KroneckerGraph.of(arguments),
                        arguments.flag("weights"),
                        Runtime.getRuntime().availableProcessors());
        KroneckerRun.Progress progress =
                (done, total) -> {
                    context.checkCancelled();
                    context.progress("Generating edges", done, total);
                };
        EdgeHash hash;
        if (arguments.has("file")) {
            Path file = context.outputFile(arguments.text("file"));
            hash = run.write(file, format(arguments), progress);
        } else {
            hash = run.hash(progress);
        }
        return new TaskResult()
                .put("edges", hash.edges())
                .put("sumSource", hash.sumSource().toString())
                .put("sumTarget", hash.sumTarget().toString())
                .put("edgeHash", hexadecimal(hash.edgeHash()))
                .put("weightHash", hexadecimal(hash.weightHash()));
    }

    private static EdgeFileFormat format(Parameters arguments) {
        return arguments.has("format")
                ? EdgeFileFormat.named(arguments.text("format"))
                : EdgeFileFormat.TSV;
    }

    private static String hexadecimal(long word) {
        return "0x%016x".formatted(word);
    }
}
