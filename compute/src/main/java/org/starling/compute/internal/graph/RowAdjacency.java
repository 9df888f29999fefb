package org.starling.compute.internal.graph;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Adjacency;
import org.starling.net.NativeMemory;

/**
 * {@link Rows} as users see them: for all threads and vertices in any order, or for one thread that
 * mostly goes from vertex to neighbouring vertex ({@link RowWindow}).
 */
public final class RowAdjacency implements Adjacency {
    private static final MemorySegment MEMORY = NativeMemory.segment(0, Long.MAX_VALUE);

    private final Rows rows;
    private final AdjacencyLayout layout;
    private final long reciprocal;
    private final @Nullable RowWindow window;

    /** Over these rows, safe for all threads. */
    public RowAdjacency(Rows rows) {
        this(rows, null);
    }

    private RowAdjacency(Rows rows, @Nullable RowWindow window) {
        this.rows = rows;
        this.layout = rows.layout();
        this.reciprocal = layout.reciprocal();
        this.window = window;
    }

    /** Over these rows, for one thread. */
    public static RowAdjacency confined(Rows rows) {
        return new RowAdjacency(rows, new RowWindow(rows));
    }

    @Override
    public int degree(long ordinal) {
        return AdjacencyLayout.degreeOf(entry(ordinal), reciprocal);
    }

    @Override
    public long neighbour(long ordinal, int index) {
        long entry = entry(ordinal);
        Objects.checkIndex(index, AdjacencyLayout.degreeOf(entry, reciprocal));
        return layout.target(AdjacencyLayout.targets(entry), index);
    }

    @Override
    public float weight(long ordinal, int index) {
        long entry = entry(ordinal);
        int degree = AdjacencyLayout.degreeOf(entry, reciprocal);
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
                    "neighbours of %d bytes do not fit into ints; read them one by one"
                            .formatted(layout.targetBytes()));
        }
        long entry = entry(ordinal);
        int degree = AdjacencyLayout.degreeOf(entry, reciprocal);
        NativeMemory.copyToArray(AdjacencyLayout.targets(entry), into, offset, degree);
        return degree;
    }

    @Override
    public boolean contains(long ordinal, long neighbour) {
        long entry = entry(ordinal);
        long targets = AdjacencyLayout.targets(entry);
        int low = 0;
        int high = AdjacencyLayout.degreeOf(entry, reciprocal) - 1;
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
        return AdjacencyLayout.targets(entry(ordinal));
    }

    @Override
    public MemorySegment memory() {
        return MEMORY;
    }

    private long entry(long ordinal) {
        return window == null ? rows.entry(ordinal) : window.entry(ordinal);
    }
}
