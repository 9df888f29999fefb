package org.starling.compute.internal.graph;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.starling.graph.Adjacency;
import org.starling.net.NativeMemory;

/** {@link Rows} as users see them. Stateless beyond the rows, safe for all threads. */
public final class RowAdjacency implements Adjacency {
    private static final MemorySegment MEMORY = NativeMemory.segment(0, Long.MAX_VALUE);

    private final Rows rows;
    private final AdjacencyLayout layout;

    /** Over these rows. */
    public RowAdjacency(Rows rows) {
        this.rows = rows;
        this.layout = rows.layout();
    }

    @Override
    public int degree(long ordinal) {
        return rows.degree(ordinal);
    }

    @Override
    public long neighbour(long ordinal, int index) {
        long entry = rows.entry(ordinal);
        Objects.checkIndex(index, layout.degreeOf(entry));
        return layout.target(AdjacencyLayout.targets(entry), index);
    }

    @Override
    public float weight(long ordinal, int index) {
        long entry = rows.entry(ordinal);
        int degree = layout.degreeOf(entry);
        Objects.checkIndex(index, degree);
        return layout.weighted()
                ? NativeMemory.getFloat(
                        layout.weight(AdjacencyLayout.targets(entry), degree, index))
                : 1f;
    }

    @Override
    public int copy(long ordinal, int[] into, int offset) {
        if (layout.targetBytes() != AdjacencyLayout.NARROW_BYTES) {
            throw new IllegalStateException(
                    "neighbours of "
                            + layout.targetBytes()
                            + " bytes do not fit into ints; read them one by one");
        }
        long entry = rows.entry(ordinal);
        int degree = layout.degreeOf(entry);
        NativeMemory.copyToArray(AdjacencyLayout.targets(entry), into, offset, degree);
        return degree;
    }

    @Override
    public boolean contains(long ordinal, long neighbour) {
        long entry = rows.entry(ordinal);
        long targets = AdjacencyLayout.targets(entry);
        int low = 0;
        int high = layout.degreeOf(entry) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = layout.target(targets, middle);
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
}
