package org.starling.compute.internal.build;

import java.util.Arrays;
import java.util.List;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.graph.InvalidInputException;
import org.starling.store.PinnedRange;

/**
 * Rows of one shard: edges counted by vertex, scattered, sorted, duplicates dropped. Of duplicates
 * the smallest weight stays. Works on heap arrays of the shard's size ({@link RowEdges}), in the
 * thread that owns the shard.
 */
final class ShardRows {
    private final EdgeRecords records;
    private final AdjacencyLayout layout;
    private final int vertices;
    private final int[] starts;
    private final int[] degrees;
    private final RowEdges rows;
    private long duplicates;

    /** Makes the rows of a shard with so many vertices. */
    ShardRows(EdgeRecords records, int vertices, List<Records> edges) {
        this.records = records;
        this.layout = new AdjacencyLayout(records.endBytes(), records.weighted());
        this.vertices = vertices;
        this.starts = new int[vertices + 1];
        this.degrees = new int[vertices];
        long total = edges.stream().mapToLong(Records::size).sum();
        if (total > Integer.MAX_VALUE - 8) {
            throw new InvalidInputException(tooMany("shard", total));
        }
        this.rows =
                records.valued()
                        ? new ValuedEdges(layout, records, (int) total)
                        : RowEdges.of(layout, (int) total);
        edges.forEach(this::count);
        for (int v = 0; v < vertices; v++) {
            starts[v + 1] += starts[v];
        }
        int[] next = Arrays.copyOf(starts, vertices);
        edges.forEach(part -> scatter(part, next));
        for (int v = 0; v < vertices; v++) {
            degrees[v] = rows.sort(starts[v], starts[v + 1]);
            duplicates += inputDegree(v) - degrees[v];
        }
    }

    /** Edges that were there before duplicates were dropped, of one vertex. */
    int inputDegree(int vertex) {
        return starts[vertex + 1] - starts[vertex];
    }

    /** Edges dropped. */
    long duplicates() {
        return duplicates;
    }

    /** Edges left. */
    long edges() {
        return starts[vertices] - duplicates;
    }

    /** Length of each vertex's chunk. */
    int[] sizes() {
        int[] sizes = new int[vertices];
        for (int v = 0; v < vertices; v++) {
            checkDegree(degrees[v]);
            sizes[v] = layout.bytes(degrees[v]);
        }
        return sizes;
    }

    /** Writes the rows into their chunks. */
    void writeTo(PinnedRange chunks) {
        for (int v = 0; v < vertices; v++) {
            rows.write(starts[v], degrees[v], chunks.address(v));
        }
    }

    /** Writes a property of all edges, row by row; the records must still be there. */
    void writeProperty(int offset, int width, long to) {
        ValuedEdges edges = (ValuedEdges) rows;
        long at = to;
        for (int v = 0; v < vertices; v++) {
            edges.writeProperty(starts[v], degrees[v], offset, width, at);
            at += (long) degrees[v] * width;
        }
    }

    private void checkDegree(int degree) {
        if (degree > layout.maxDegree()) {
            throw new InvalidInputException(tooMany("vertex", degree));
        }
    }

    private String tooMany(String where, long edges) {
        return "a %s would have %d edges; a vertex with more than %d edges cannot be stored"
                .formatted(where, edges, layout.maxDegree());
    }

    private void count(Records part) {
        int width = records.bytes();
        for (int block = 0; block < part.blocks(); block++) {
            long end = part.blockEnd(block);
            for (long at = part.block(block); at < end; at += width) {
                starts[(int) records.first(at) + 1]++;
            }
        }
    }

    private void scatter(Records part, int[] next) {
        int width = records.bytes();
        for (int block = 0; block < part.blocks(); block++) {
            long end = part.blockEnd(block);
            for (long at = part.block(block); at < end; at += width) {
                int slot = next[(int) records.first(at)]++;
                rows.put(slot, at, records.second(at), records.weight(at));
            }
        }
    }
}
