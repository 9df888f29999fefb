package org.starling.loaders;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.WholeFile;

/**
 * Generates a whole Kronecker graph on several threads: hashes it and, if wanted, writes it to a
 * file, edges in the order of their numbers.
 *
 * <p>Owns its threads for the length of a call. At most {@link #PARTS_PER_THREAD} parts a thread
 * are under way, so memory does not depend on the graph's size. Files appear whole or not at all.
 */
public final class KroneckerRun {

    /** Parts that are being made or wait to be written, for each thread. */
    static final int PARTS_PER_THREAD = 2;

    private static final int PART_EDGES = 1 << 16;

    private final KroneckerGraph graph;
    private final boolean weighted;
    private final int threads;

    /**
     * A run.
     *
     * @param graph which graph
     * @param weighted whether weights are written; they are hashed either way
     * @param threads how many threads generate, at least 1
     */
    public KroneckerRun(KroneckerGraph graph, boolean weighted, int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads " + threads);
        }
        this.graph = graph;
        this.weighted = weighted;
        this.threads = threads;
    }

    /** Hears how far the run is. */
    @FunctionalInterface
    public interface Progress {
        /** {@code done} of {@code total} edges are made; may throw to end the run. */
        void made(long done, long total);
    }

    /** Generates the graph and forgets it. */
    public EdgeHash hash(Progress progress) {
        try {
            return run(null, null, null, progress);
        } catch (IOException impossible) {
            throw new IllegalStateException("nothing is written", impossible);
        }
    }

    /**
     * Generates the graph into a file. The weights of binary formats go to a second one, with
     * {@code .weights} after its name.
     */
    public EdgeHash write(Path file, EdgeFileFormat format, Progress progress) throws IOException {
        Path weightsFile = file.resolveSibling(file.getFileName() + ".weights");
        boolean two = weighted && format.hasSeparateWeights();
        try (WholeFile edges = WholeFile.create(file);
                WholeFile weights = two ? WholeFile.create(weightsFile) : null) {
            EdgeHash hash =
                    run(
                            format,
                            edges.channel(),
                            weights == null ? nowhere() : weights.channel(),
                            progress);
            if (weights != null) {
                weights.commit();
            }
            edges.commit();
            return hash;
        }
    }

    private EdgeHash run(
            @Nullable EdgeFileFormat format,
            @Nullable WritableByteChannel edges,
            @Nullable WritableByteChannel weights,
            Progress progress)
            throws IOException {
        EdgeHash hash = new EdgeHash();
        Deque<Future<Part>> underWay = new ArrayDeque<>();
        try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
            try {
                long next = 0;
                while (next < graph.edges() || !underWay.isEmpty()) {
                    while (next < graph.edges() && underWay.size() < PARTS_PER_THREAD * threads) {
                        long first = next;
                        long end = Math.min(first + PART_EDGES, graph.edges());
                        underWay.add(workers.submit(() -> make(first, end, format)));
                        next = end;
                    }
                    Part part = await(underWay.remove());
                    hash.merge(part.hash());
                    if (edges != null && weights != null) {
                        write(part.edges(), edges);
                        write(part.weights(), weights);
                    }
                    progress.made(hash.edges(), graph.edges());
                }
            } finally {
                workers.shutdownNow();
            }
        }
        return hash;
    }

    private Part make(long first, long end, @Nullable EdgeFileFormat format) {
        int count = (int) (end - first);
        EdgeHash hash = new EdgeHash();
        ByteBuffer edgeBytes = format == null ? ByteBuffer.allocate(0) : format.buffer(count);
        boolean separate = weighted && format != null && format.hasSeparateWeights();
        boolean inLine = format == EdgeFileFormat.TSV;
        ByteBuffer weightBytes =
                ByteBuffer.allocate(separate ? count * Float.BYTES : 0)
                        .order(ByteOrder.LITTLE_ENDIAN);
        KroneckerEdges edges = new KroneckerEdges(graph, true);
        edges.seek(first);
        for (long edge = first; edge < end; edge++) {
            edges.next();
            hash.add(edge, edges.source(), edges.target(), edges.weight());
            if (format != null) {
                format.put(edgeBytes, edges.source(), edges.target());
            }
            if (separate) {
                weightBytes.putFloat(edges.weight());
            }
            if (inLine) {
                endLine(edgeBytes, edges.weight());
            }
        }
        return new Part(hash, edgeBytes.flip(), weightBytes.flip());
    }

    private void endLine(ByteBuffer into, float weight) {
        if (weighted) {
            into.put(("\t" + weight).getBytes(StandardCharsets.ISO_8859_1));
        }
        into.put((byte) '\n');
    }

    private static void write(ByteBuffer bytes, WritableByteChannel out) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private static WritableByteChannel nowhere() {
        return Channels.newChannel(OutputStream.nullOutputStream());
    }

    private static Part await(Future<Part> part) {
        try {
            return part.get();
        } catch (ExecutionException failed) {
            throw new JobFailedException("the generator failed: " + failed.getCause(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new JobCancelledException("the generator was interrupted");
        }
    }

    /** Edges that one worker has made. */
    private record Part(EdgeHash hash, ByteBuffer edges, ByteBuffer weights) {}
}
