package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.Arrays;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.net.NativeMemory;

/**
 * Edges with properties: the records that they came in stay where they are until rows and columns
 * are written, and what is sorted are their addresses. Of duplicates the one with the smallest
 * weight stays, and of equally heavy ones the one whose properties are the least, compared in their
 * order. Confined to the thread that owns the shard.
 */
final class ValuedEdges implements RowEdges {
    private final AdjacencyLayout layout;
    private final EdgeRecords records;
    private final long[] edges;

    ValuedEdges(AdjacencyLayout layout, EdgeRecords records, int edges) {
        this.layout = layout;
        this.records = records;
        this.edges = new long[edges];
    }

    @Override
    public void put(int slot, long record, long target, float weight) {
        edges[slot] = record;
    }

    @Override
    public int sort(int from, int to) {
        Arrays.quickSort(from, to, this::compare, this::swap);
        int kept = from;
        for (int i = from; i < to; i++) {
            if (kept == from || target(i) != target(kept - 1)) {
                edges[kept++] = edges[i];
            }
        }
        return kept - from;
    }

    @Override
    public void write(int from, int degree, long chunk) {
        for (int i = 0; i < degree; i++) {
            long at = chunk + (long) layout.targetBytes() * i;
            AdjacencyLayout.store(at, layout.targetBytes(), target(from + i));
            if (layout.weighted()) {
                NativeMemory.putFloat(
                        layout.weight(chunk, degree, i), records.weight(edges[from + i]));
            }
        }
    }

    /**
     * Writes a property of a row's edges.
     *
     * @param offset where it lies among the values of an edge
     * @param width its bytes
     * @param to where the first edge's value goes; the others follow
     */
    void writeProperty(int from, int degree, int offset, int width, long to) {
        for (int i = 0; i < degree; i++) {
            long value = records.values(edges[from + i]) + offset;
            NativeMemory.copy(value, to + (long) width * i, width);
        }
    }

    private long target(int slot) {
        return records.second(edges[slot]);
    }

    private int compare(int left, int right) {
        int order = Long.compare(target(left), target(right));
        if (order == 0) {
            order = Float.compare(records.weight(edges[left]), records.weight(edges[right]));
        }
        return order != 0
                ? order
                : records.properties()
                        .compare(records.values(edges[left]), records.values(edges[right]));
    }

    private void swap(int left, int right) {
        long edge = edges[left];
        edges[left] = edges[right];
        edges[right] = edge;
    }
}
