package org.starling.tasks;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Argument;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.SourceDescription;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.graph.VertexId;
import org.starling.graph.WholeFile;
import org.starling.loaders.EdgeHash;

/**
 * What the tasks that generate edges outside the cluster have in common. Reads a generator part by
 * part on the task's thread, hashes the edges and, if a file is named, writes them there; the file
 * appears whole or not at all. Memory does not depend on the number of edges.
 */
final class GeneratedEdges {
    private static final String TSV = "tsv";

    private GeneratedEdges() {}

    /** The signature of such a task, with a generator's own arguments in the middle. */
    static TaskSignature signature(String name, String summary, Argument... own) {
        TaskSignature signature =
                TaskSignature.of(name, summary)
                        .with(
                                Argument.required(
                                        "scale",
                                        Argument.Type.INTEGER,
                                        "the graph has 2^scale vertices"));
        for (Argument argument : own) {
            signature = signature.with(argument);
        }
        return signature
                .with(Argument.optional("file", Argument.Type.OUTPUT_FILE, "where to write edges"))
                .with(Argument.choice("format", "how edges are written", TSV))
                .returns("edges", "integer", "number of edges")
                .returns("sumSource", "text", "sum of all sources, decimal")
                .returns("sumTarget", "text", "sum of all targets, decimal")
                .returns("edgeHash", "text", "hash of all edges, hexadecimal")
                .returns("weightHash", "text", "hash of all weights, hexadecimal");
    }

    /** Generates what the arguments say. */
    static TaskResult run(EdgeSourceProvider provider, TaskContext context, Parameters arguments)
            throws IOException {
        EdgeSource source = provider.create(arguments);
        EdgeHash hash;
        if (arguments.has("file")) {
            hash = write(source, context, context.outputFile(arguments.text("file")));
        } else {
            hash = read(source, context, null);
        }
        return new TaskResult()
                .put("edges", hash.edges())
                .put("sumSource", hash.sumSource().toString())
                .put("sumTarget", hash.sumTarget().toString())
                .put("edgeHash", hexadecimal(hash.edgeHash()))
                .put("weightHash", hexadecimal(hash.weightHash()));
    }

    private static EdgeHash write(EdgeSource source, TaskContext context, Path file)
            throws IOException {
        try (WholeFile whole = WholeFile.create(file)) {
            BufferedWriter writer =
                    new BufferedWriter(
                            Channels.newWriter(whole.channel(), StandardCharsets.US_ASCII));
            EdgeHash hash = read(source, context, writer);
            writer.flush();
            whole.commit();
            return hash;
        }
    }

    private static EdgeHash read(EdgeSource source, TaskContext context, @Nullable Writer writer)
            throws IOException {
        SourceDescription description = source.describe();
        Sink sink = new Sink(description.weighted(), writer);
        try {
            for (int part = 0; part < description.parts(); part++) {
                context.checkCancelled();
                context.progress("generating edges", sink.hash.edges(), description.edgeCount());
                source.read(part, sink);
            }
        } catch (UncheckedIOException full) {
            throw full.getCause();
        }
        return sink.hash;
    }

    private static String hexadecimal(long word) {
        return "0x%016x".formatted(word);
    }

    /** Confined to the task's thread. */
    private static final class Sink implements EdgeSink {
        private final EdgeHash hash = new EdgeHash();
        private final boolean weighted;
        private final @Nullable Writer writer;

        Sink(boolean weighted, @Nullable Writer writer) {
            this.weighted = weighted;
            this.writer = writer;
        }

        @Override
        public void edge(long source, long target, float weight) {
            hash.add(hash.edges(), source, target, weight);
            if (writer == null) {
                return;
            }
            try {
                writer.write(VertexId.text(source) + "\t" + VertexId.text(target));
                writer.write(weighted ? "\t" + weight + "\n" : "\n");
            } catch (IOException full) {
                throw new UncheckedIOException(full);
            }
        }

        @Override
        public void vertex(long id) {
            // a list of edges has no word for a vertex without any
        }
    }
}
