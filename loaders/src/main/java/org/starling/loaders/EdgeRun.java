package org.starling.loaders;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.SourceDescription;
import org.starling.graph.WholeFile;

/**
 * Makes all edges of a generator on several threads: hashes them and, if wanted, writes them to a
 * file, in the order of their numbers.
 *
 * <p>Owns its threads for the length of a call. At most {@link #PARTS_PER_THREAD} parts a thread
 * are under way, so memory does not depend on the graph's size. Files appear whole or not at all.
 */
public final class EdgeRun {
    /** Parts that are being made or wait to be written, for each thread. */
    static final int PARTS_PER_THREAD = 2;

    /** Who hears how far the run is hears it at least so often, as that may end the run. */
    private static final long HEARD_MILLIS = 100;

    /** After so many edges of a part its thread looks whether the run has ended. */
    private static final int LOOK_EDGES = 1 << 16;

    private final EdgeSource source;
    private final boolean weighted;
    private final int threads;

    /**
     * A run.
     *
     * @param source gives the edges
     * @param weighted whether weights are written; they are hashed either way
     * @param threads how many threads make edges, at least 1
     */
    public EdgeRun(EdgeSource source, boolean weighted, int threads) {
        this.source = source;
        this.weighted = weighted;
        this.threads = threads;
    }

    /** Hears how far the run is. */
    @FunctionalInterface
    public interface Progress {
        /** {@code done} of {@code total} edges are made; may throw to end the run. */
        void made(long done, long total);
    }

    /** Makes the edges and forgets them. */
    public EdgeHash hash(Progress progress) throws IOException {
        return run(null, nowhere(), nowhere(), progress);
    }

    /**
     * Makes the edges into a file. The weights of binary formats go to a second one, with {@code
     * .weights} after its name.
     */
    public EdgeHash write(Path file, EdgeFileFormat format, Progress progress) throws IOException {
        Path weightsFile = EdgeFileFormat.weightsOf(file);
        boolean two = weighted && format.hasSeparateWeights();
        try (WholeFile edges = WholeFile.create(file);
                WholeFile weights = two ? WholeFile.create(weightsFile) : null) {
            WritableByteChannel weightBytes = weights == null ? nowhere() : weights.channel();
            EdgeHash hash = run(format, edges.channel(), weightBytes, progress);
            if (weights != null) {
                weights.commit();
            }
            edges.commit();
            return hash;
        }
    }

    private EdgeHash run(
            @Nullable EdgeFileFormat format,
            WritableByteChannel edges,
            WritableByteChannel weights,
            Progress progress)
            throws IOException {
        SourceDescription description = source.describe();
        EdgeHash hash = new EdgeHash();
        Deque<Future<Part>> underWay = new ArrayDeque<>();
        Deque<Future<EdgeHash>> hashes = new ArrayDeque<>();
        long made = 0;
        try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
            try {
                int next = 0;
                while (next < description.parts() || !underWay.isEmpty()) {
                    while (next < description.parts()
                            && underWay.size() < PARTS_PER_THREAD * threads) {
                        int number = next++;
                        underWay.add(workers.submit(() -> make(number, format)));
                    }
                    long before = made;
                    Runnable tell = () -> progress.made(before, description.edgeCount());
                    Part part = await(underWay.remove(), tell);
                    long first = made;
                    made += part.edges.count();
                    hashes.add(workers.submit(() -> part.edges.hash(first)));
                    write(part.edgeBytes, edges);
                    write(part.weightBytes, weights);
                    if (hashes.size() == threads) { // which bounds the parts in memory
                        hash.merge(await(hashes.remove(), tell));
                    }
                    progress.made(made, description.edgeCount());
                }
                long all = made;
                for (Future<EdgeHash> rest : hashes) {
                    hash.merge(await(rest, () -> progress.made(all, all)));
                }
            } finally {
                workers.shutdownNow();
            }
        }
        return hash;
    }

    private Part make(int number, @Nullable EdgeFileFormat format) throws IOException {
        Edges edges = new Edges();
        source.read(number, edges);
        if (format == null) {
            return new Part(edges, ByteBuffer.allocate(0), ByteBuffer.allocate(0));
        }
        boolean separate = weighted && format.hasSeparateWeights();
        ByteBuffer edgeBytes = format.buffer(edges.count());
        ByteBuffer weightBytes =
                ByteBuffer.allocate(separate ? edges.count() * Float.BYTES : 0)
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (int edge = 0; edge < edges.count(); edge++) {
            format.put(edgeBytes, edges.sources.getLong(edge), edges.targets.getLong(edge));
            if (separate) {
                weightBytes.putInt(edges.weightBits.getInt(edge));
            }
            if (format == EdgeFileFormat.TSV) {
                String weight = weighted ? "\t" + edges.weight(edge) + "\n" : "\n";
                edgeBytes.put(weight.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return new Part(edges, edgeBytes.flip(), weightBytes.flip());
    }

    private static void write(ByteBuffer bytes, WritableByteChannel out) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private static WritableByteChannel nowhere() {
        return Channels.newChannel(OutputStream.nullOutputStream());
    }

    private static <T> T await(Future<T> work, Runnable meanwhile) {
        while (true) {
            try {
                return work.get(HEARD_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException unfinished) {
                meanwhile.run();
            } catch (ExecutionException failed) {
                throw new JobFailedException("the generator failed: " + failed.getCause(), failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new JobCancelledException("the generator was interrupted");
            }
        }
    }

    /** Edges that one worker has made, and what is to be written of them. */
    private record Part(Edges edges, ByteBuffer edgeBytes, ByteBuffer weightBytes) {}

    /** Edges of a part. Filled by one thread, then read by another one. */
    private static final class Edges implements EdgeSink {
        private final LongArrayList sources = new LongArrayList();
        private final LongArrayList targets = new LongArrayList();
        private final IntArrayList weightBits = new IntArrayList();

        @Override
        public void edge(long source, long target, float weight) {
            if (sources.size() % LOOK_EDGES == 0 && Thread.currentThread().isInterrupted()) {
                throw new JobCancelledException("the run has ended");
            }
            sources.add(source);
            targets.add(target);
            weightBits.add(Float.floatToRawIntBits(weight));
        }

        @Override
        public void vertex(long id) {
            // a list of edges has no word for a vertex without any
        }

        private int count() {
            return sources.size();
        }

        private float weight(int edge) {
            return Float.intBitsToFloat(weightBits.getInt(edge));
        }

        /** Known when the parts before it have been counted. */
        private EdgeHash hash(long first) {
            EdgeHash hash = new EdgeHash();
            for (int edge = 0; edge < count(); edge++) {
                hash.add(first + edge, sources.getLong(edge), targets.getLong(edge), weight(edge));
            }
            return hash;
        }
    }
}
