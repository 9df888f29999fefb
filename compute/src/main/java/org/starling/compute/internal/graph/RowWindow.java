package org.starling.compute.internal.graph;

import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/**
 * {@link Rows} for one thread that goes from vertex to neighbouring vertex: it remembers the piece
 * that it was in last, so that a look-up mostly takes two comparisons. Confined to its thread.
 */
public final class RowWindow {
    private final Rows rows;
    private final long reciprocal;
    private long first;
    private long end;
    private long base;
    private long lastOrdinal = -1;
    private int lastDegree;

    /** Over these rows. */
    public RowWindow(Rows rows) {
        this.rows = rows;
        this.reciprocal = rows.layout().reciprocal();
    }

    /** Table entry of an ordinal. */
    public long entry(long ordinal) {
        if (ordinal < first || ordinal >= end) {
            move(ordinal);
        }
        return NativeMemory.getLong(base + ordinal * ChunkEntryLayout.ENTRY_BYTES);
    }

    /** Number of neighbours; mostly asked for more than once in a row. */
    public int degree(long ordinal) {
        if (ordinal != lastOrdinal) {
            lastDegree = AdjacencyLayout.degreeOf(entry(ordinal), reciprocal);
            lastOrdinal = ordinal;
        }
        return lastDegree;
    }

    /** The rows. */
    public Rows rows() {
        return rows;
    }

    private void move(long ordinal) {
        base = rows.entryAddress(ordinal) - ordinal * ChunkEntryLayout.ENTRY_BYTES;
        first = rows.pieceFirst(ordinal);
        end = rows.pieceEnd(ordinal);
    }
}
