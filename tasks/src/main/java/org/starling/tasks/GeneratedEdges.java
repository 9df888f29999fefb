package org.starling.tasks;

import java.io.IOException;
import java.util.Arrays;
import org.starling.graph.Argument;
import org.starling.graph.EdgeSource;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.EdgeFileFormat;
import org.starling.loaders.EdgeHash;
import org.starling.loaders.EdgeRun;

/**
 * What the tasks that generate edges outside the cluster have in common: edges are made on all
 * cores of the master, hashed and, if a file is named, written there. No graph is made.
 */
final class GeneratedEdges {
    private GeneratedEdges() {}

    /** The scale of a generator that makes nothing but the graph. */
    static Argument scale() {
        return Argument.required("scale", Argument.Type.INTEGER, "the graph has 2^scale vertices");
    }

    /** The signature of such a task, with a generator's own arguments first. */
    static TaskSignature signature(
            String name, String summary, EdgeFileFormat[] formats, Argument... own) {
        TaskSignature signature = TaskSignature.of(name, summary);
        for (Argument argument : own) {
            signature = signature.with(argument);
        }
        String[] titles = Arrays.stream(formats).map(EdgeFileFormat::title).toArray(String[]::new);
        return signature
                .with(Argument.optional("file", Argument.Type.OUTPUT_FILE, "where to write edges"))
                .with(Argument.choice("format", "how edges are written", titles))
                .returns("edges", "integer", "number of edges")
                .returns("sumSource", "text", "sum of all sources, decimal")
                .returns("sumTarget", "text", "sum of all targets, decimal")
                .returns("edgeHash", "text", "hash of all edges, hexadecimal")
                .returns("weightHash", "text", "hash of all weights, hexadecimal");
    }

    /** Generates what the arguments say. */
    static TaskResult run(
            EdgeSource source, boolean weighted, TaskContext context, Parameters arguments)
            throws IOException {
        EdgeRun run = new EdgeRun(source, weighted, Runtime.getRuntime().availableProcessors());
        EdgeRun.Progress progress =
                (done, total) -> {
                    context.checkCancelled();
                    context.progress("generating edges", done, total);
                };
        EdgeHash hash =
                arguments.has("file")
                        ? run.write(
                                context.outputFile(arguments.text("file")),
                                EdgeFileFormat.named(arguments.text("format", "tsv")),
                                progress)
                        : run.hash(progress);
        return new TaskResult()
                .put("edges", hash.edges())
                .put("sumSource", hash.sumSource().toString())
                .put("sumTarget", hash.sumTarget().toString())
                .put("edgeHash", "0x%016x".formatted(hash.edgeHash()))
                .put("weightHash", "0x%016x".formatted(hash.weightHash()));
    }
}
