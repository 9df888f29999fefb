package org.starling.loaders;

import java.io.IOException;
import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/**
 * Reads serialized graphs of GAP; see {@link GapProvider}. A part is a run of entries; which vertex
 * it begins with is looked up in the file, so nothing is kept but the header. Several threads read
 * different parts at the same time.
 */
final class GapSource implements EdgeSource, Oriented {
    private final boolean bothWays;
    private final Kept<Opened> opened;

    GapSource(Parameters parameters) {
        this.bothWays = parameters.flag(SourceOptions.DIRECTED);
        this.opened = new Kept<>(() -> open(parameters));
    }

    private record Opened(TextFile file, GapLayout layout, boolean weighted) {
        long partEdges() {
            return Math.max(1, file.partBytes() / layout.entryBytes());
        }
    }

    private static Opened open(Parameters parameters) throws IOException {
        TextFile file = TextFile.open(parameters);
        GapLayout layout = GapLayout.of(file);
        checkFirsts(file, layout);
        return new Opened(
                file, layout, layout.weighted() && !SourceOptions.leavesOutWeights(parameters));
    }

    @Override
    public boolean directed() throws IOException {
        return opened.get().layout.directed();
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened graph = opened.get();
        GapLayout layout = graph.layout;
        boolean once = !layout.directed() && !bothWays;
        return new SourceDescription(
                (int) Math.max(1, Math.ceilDiv(layout.edges(), graph.partEdges())),
                true,
                0,
                layout.vertices(),
                once ? Math.ceilDiv(layout.edges(), 2) : layout.edges(),
                graph.weighted);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Opened graph = opened.get();
        GapLayout layout = graph.layout;
        long first = part * graph.partEdges();
        long end = Math.min(layout.edges(), first + graph.partEdges());
        if (first >= end) {
            return new PartSummary(0, 0, 0, 0);
        }
        long balance = 0;
        try (BinaryFile firsts = BinaryFile.open(graph.file.path());
                BinaryFile entries = BinaryFile.open(graph.file.path())) {
            long vertex = vertexOf(first, firsts, graph);
            long next = firsts.at(layout.firstAt(vertex + 1)).nextLong();
            entries.at(layout.entryAt(first));
            for (long edge = first; edge < end; edge++) {
                while (edge >= next) {
                    vertex++;
                    next = firsts.nextLong();
                }
                balance += give(vertex, entries, graph, sink);
            }
        }
        return new PartSummary(end - first, 0, end - first, balance);
    }

    /** Gives an edge; what it adds to the balance of both its entries. */
    private long give(long vertex, BinaryFile entries, Opened graph, EdgeSink sink)
            throws IOException {
        GapLayout layout = graph.layout;
        long at = entries.offset();
        long target = entries.nextInt();
        if (target < 0 || target >= layout.vertices()) {
            throw bad(
                    graph.file,
                    at,
                    "a target from 0 to %d, found %d".formatted(layout.vertices() - 1, target));
        }
        int weight = layout.weighted() ? entries.nextInt() : 1;
        if (weight < 0 && graph.weighted) {
            throw bad(
                    graph.file,
                    at + Integer.BYTES,
                    "a weight that is not negative, found " + weight);
        }
        if (layout.directed() || bothWays || target >= vertex) {
            sink.edge(vertex, target, graph.weighted ? weight : 1f);
        }
        return layout.directed()
                ? 0
                : MetisAsymmetry.share(vertex, target, graph.weighted ? weight : 1);
    }

    /** The vertex that an edge begins at. */
    private static long vertexOf(long edge, BinaryFile firsts, Opened graph) throws IOException {
        long low = 0;
        long high = graph.layout.vertices() - 1;
        while (low < high) { // the last vertex whose first edge is not behind this one
            long middle = (low + high + 1) >>> 1;
            if (firsts.at(graph.layout.firstAt(middle)).nextLong() <= edge) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    @Override
    public void check(List<PartSummary> parts) {
        if (parts.stream().mapToLong(PartSummary::checksum).sum() != 0) {
            throw new InvalidInputException(
                    "%s: the file says that edges have no direction, but some stand at one of their ends only, or with another weight there (make the file again, or set its first byte to 1)"
                            .formatted(opened.known().file.path()));
        }
    }

    /** The indexes rise from 0 to the number of edges. */
    private static void checkFirsts(TextFile file, GapLayout layout) throws IOException {
        long least = 0;
        try (BinaryFile firsts = BinaryFile.open(file.path()).at(layout.firstAt(0))) {
            for (long vertex = 0; vertex <= layout.vertices(); vertex++) {
                long first = firsts.nextLong();
                long most = vertex == 0 ? 0 : layout.edges();
                long from = vertex == layout.vertices() ? layout.edges() : least;
                if (first < from || first > most) {
                    throw bad(
                            file,
                            layout.firstAt(vertex),
                            "the index of an edge from %d to %d, found %d"
                                    .formatted(from, most, first));
                }
                least = first;
            }
        }
    }

    private static InvalidInputException bad(TextFile file, long at, String expected) {
        return new InvalidInputException(
                "%s: at byte %d expected %s (make the file again)"
                        .formatted(file.path(), at, expected));
    }
}
