package org.starling.compute.internal.graph;

import java.lang.foreign.MemorySegment;
import org.starling.graph.Adjacency;
import org.starling.net.NativeMemory;

/** {@link Rows} as users see them. Stateless beyond the rows, safe for all threads. */
public final class RowAdjacency implements Adjacency {
    private static final MemorySegment MEMORY = NativeMemory.segment(0, Long.MAX_VALUE);

    private final Rows rows;
    private final boolean weighted;

    /** Over these rows. */
    public RowAdjacency(Rows rows, boolean weighted) {
        this.rows = rows;
        this.weighted = weighted;
    }

    @Override
    public int degree(long ordinal) {
        return rows.degree(ordinal);
    }

    @Override
    public long neighbour(long ordinal, int index) {
        long entry = rows.entry(ordinal);
        java.util.Objects.checkIndex(index, AdjacencyLayout.degree(entry, rows.edgeShift()));
        return target(entry, index);
    }

    @Override
    public float weight(long ordinal, int index) {
        long entry = rows.entry(ordinal);
        int degree = AdjacencyLayout.degree(entry, rows.edgeShift());
        java.util.Objects.checkIndex(index, degree);
        return weighted
                ? NativeMemory.getFloat(AdjacencyLayout.targets(entry) + 4L * degree + 4L * index)
                : 1f;
    }

    @Override
    public int copy(long ordinal, int[] into, int offset) {
        long entry = rows.entry(ordinal);
        int degree = AdjacencyLayout.degree(entry, rows.edgeShift());
        NativeMemory.copyToArray(AdjacencyLayout.targets(entry), into, offset, degree);
        return degree;
    }

    @Override
    public boolean contains(long ordinal, long neighbour) {
        long entry = rows.entry(ordinal);
        int low = 0;
        int high = AdjacencyLayout.degree(entry, rows.edgeShift()) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = target(entry, middle);
            if (found == neighbour) {
                return true;
            }
            if (found < neighbour) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }

    @Override
    public long address(long ordinal) {
        return AdjacencyLayout.targets(rows.entry(ordinal));
    }

    @Override
    public MemorySegment memory() {
        return MEMORY;
    }

    private static long target(long entry, int index) {
        return AdjacencyLayout.target(
                AdjacencyLayout.targets(entry) + (long) index * AdjacencyLayout.TARGET_BYTES);
    }
}
