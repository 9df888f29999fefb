package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/**
 * Reads edges of Graph500; see {@link Graph500Provider}. Several threads read different parts at
 * the same time.
 */
final class Graph500Source implements EdgeSource, Oriented {
    /** Ids are below this; larger ones tell of another format, or another byte order. */
    static final long MAX_ID = (1L << 48) - 1;

    /** Bytes don't tell: edges may begin with those of any packer. */
    private static final Pattern PACKED_NAME =
            Pattern.compile("\\.(gz|bz2|zst|lz4|xz|zip)$", Pattern.CASE_INSENSITIVE);

    private static final int SAMPLES = 64;
    private static final int SAMPLE_EDGES = 1 << 12;

    private final EdgeFileFormat format;
    private final boolean bothWays;
    private final Kept<Opened> opened;

    Graph500Source(Parameters parameters, EdgeFileFormat format) {
        this.format = format;
        this.bothWays = parameters.flag(SourceOptions.DIRECTED);
        this.opened = new Kept<>(() -> open(parameters));
    }

    private record Opened(TextFile file, long edges, long vertices, @Nullable Path weights) {}

    private Opened open(Parameters parameters) throws IOException {
        TextFile file = TextFile.openPlain(parameters);
        if (PACKED_NAME.matcher(file.path().toString()).find()) {
            throw new InvalidInputException(
                    file.path()
                            + ": a file of binary edges is not read compressed, as its parts are looked up (unpack it)");
        }
        int bytes = format.recordBytes();
        if (file.fileBytes() % bytes != 0) {
            throw new InvalidInputException(
                    "%s: expected edges of %d bytes each, found %d bytes, which is no multiple (is the file complete, and is %s its format?)"
                            .formatted(file.path(), bytes, file.fileBytes(), format.title()));
        }
        long edges = file.fileBytes() / bytes;
        Path weights =
                SourceOptions.leavesOutWeights(parameters) ? null : weights(file.path(), edges);
        return new Opened(file, edges, likelyVertices(file, edges), weights);
    }

    private static @Nullable Path weights(Path file, long edges) throws IOException {
        Path weights = EdgeFileFormat.weightsOf(file);
        if (!Files.isRegularFile(weights)) {
            return null;
        }
        long bytes = Files.size(weights);
        if (bytes != edges * Float.BYTES) {
            throw new InvalidInputException(
                    "%s: expected %d bytes, a weight of 4 for each of %d edges, found %d (make it again, or leave weights out by \"weight\": \"none\")"
                            .formatted(weights, edges * Float.BYTES, edges, bytes));
        }
        return weights;
    }

    private long likelyVertices(TextFile file, long edges) throws IOException {
        LongArrayList ends = new LongArrayList();
        EdgeSink sample =
                new EdgeSink() {
                    @Override
                    public void edge(long source, long target, float weight) {
                        ends.add(source);
                        ends.add(target);
                    }

                    @Override
                    public void vertex(long id) {
                        throw new IllegalStateException("no vertices stand in such a file");
                    }
                };
        boolean whole = edges <= (long) SAMPLES * SAMPLE_EDGES;
        long step = whole ? SAMPLE_EDGES : (edges - SAMPLE_EDGES) / (SAMPLES - 1);
        for (long first = 0; first < edges && ends.size() < 2 * SAMPLES * SAMPLE_EDGES; ) {
            read(file.path(), null, first, Math.min(edges, first + SAMPLE_EDGES), sample);
            first += step;
        }
        return DistinctIds.estimate(
                ends.toLongArray(), Math.max(1, 2.0 * edges / ends.size()), edges);
    }

    @Override
    public boolean directed() {
        return false;
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened graph = opened.get();
        return new SourceDescription(
                (int) Math.ceilDiv(graph.edges, partEdges(graph)),
                false,
                0,
                graph.vertices,
                (bothWays ? 2 : 1) * graph.edges,
                graph.weights != null);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Opened graph = opened.get();
        long first = part * partEdges(graph);
        long end = Math.min(graph.edges, first + partEdges(graph));
        EdgeSink into = bothWays ? new BothWays(sink) : sink;
        read(graph.file.path(), graph.weights, first, end, into);
        return new PartSummary(end - first, 0, end - first, 0);
    }

    private long partEdges(Opened graph) {
        return Math.max(1, graph.file.partBytes() / format.recordBytes());
    }

    private void read(Path file, @Nullable Path weightFile, long first, long end, EdgeSink sink)
            throws IOException {
        try (BinaryFile edges = BinaryFile.open(file).at(first * format.recordBytes());
                BinaryFile weights = weightFile == null ? null : BinaryFile.open(weightFile)) {
            if (weights != null) {
                weights.at(first * Float.BYTES);
            }
            for (long edge = first; edge < end; edge++) {
                long source;
                long target;
                if (format == EdgeFileFormat.GRAPH500) {
                    source = edges.nextLong();
                    target = edges.nextLong();
                } else {
                    source = edges.nextInt() & 0xFFFF_FFFFL;
                    target = edges.nextInt() & 0xFFFF_FFFFL;
                    source |= (long) edges.nextShort() << Integer.SIZE;
                    target |= (long) edges.nextShort() << Integer.SIZE;
                }
                if (source < 0 || source > MAX_ID || target < 0 || target > MAX_ID) {
                    throw new InvalidInputException(
                            "%s: edge %d, at byte %d: expected ids from 0 to %d, found %d and %d (is %s its format, and is it little-endian?)"
                                    .formatted(
                                            file,
                                            edge,
                                            edge * format.recordBytes(),
                                            MAX_ID,
                                            source,
                                            target,
                                            format.title()));
                }
                sink.edge(source, target, weights == null ? 1f : weight(weightFile, weights, edge));
            }
        }
    }

    private static float weight(@Nullable Path file, BinaryFile weights, long edge)
            throws IOException {
        float weight = Float.intBitsToFloat(weights.nextInt());
        if (weight >= 0f && weight < Float.POSITIVE_INFINITY) {
            return weight;
        }
        throw new InvalidInputException(
                "%s: at byte %d expected a weight that is a finite number and not negative, found %s (make it again, or leave weights out by \"weight\": \"none\")"
                        .formatted(file, edge * Float.BYTES, weight));
    }

    /** Gives every edge in both directions, a self-loop once. */
    private record BothWays(EdgeSink sink) implements EdgeSink {
        @Override
        public void edge(long source, long target, float weight) {
            sink.edge(source, target, weight);
            if (source != target) {
                sink.edge(target, source, weight);
            }
        }

        @Override
        public void vertex(long id) {
            sink.vertex(id);
        }
    }
}
