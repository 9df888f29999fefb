package org.starling.benchmarks.graph500;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.starling.graph.Adjacency;

/**
 * Reads rows from where they lie, for the loops that look at every edge. Confined to one thread;
 * valid as long as the adjacency is.
 */
final class RowReader {

    private final Adjacency rows;
    private final MemorySegment memory;
    private final boolean wide;

    /** A neighbour takes 4 or 8 bytes. */
    RowReader(Adjacency rows, int neighbourBytes) {
        this.rows = rows;
        this.memory = rows.memory();
        this.wide = neighbourBytes == Long.BYTES;
    }

    /** Number of neighbours of a vertex. */
    int degree(long ordinal) {
        return rows.degree(ordinal);
    }

    /** Where the row of a vertex with neighbours begins, for {@link #neighbour}. */
    long row(long ordinal) {
        return rows.address(ordinal);
    }

    /** Ordinal of a neighbour in the row that begins at {@code row}. */
    long neighbour(long row, int index) {
        return wide
                ? memory.get(ValueLayout.JAVA_LONG_UNALIGNED, row + (long) index * Long.BYTES)
                : Integer.toUnsignedLong(
                        memory.get(
                                ValueLayout.JAVA_INT_UNALIGNED,
                                row + (long) index * Integer.BYTES));
    }

    /** Weight of the edge at an index of a row that has so many. */
    float weight(long row, int degree, int index) {
        long weights = row + (long) degree * (wide ? Long.BYTES : Integer.BYTES);
        return memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, weights + (long) index * Float.BYTES);
    }

    /** Index of a neighbour in the ascending row of a vertex, or -1. */
    int indexOf(long ordinal, long neighbour, int degree) {
        if (degree == 0) {
            return -1;
        }
        long row = row(ordinal);
        int low = 0;
        int high = degree - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = neighbour(row, middle);
            if (found == neighbour) {
                return middle;
            }
            if (found < neighbour) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
