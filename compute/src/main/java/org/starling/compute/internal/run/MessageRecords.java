package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.ColumnType;

/**
 * Layout of a message of a channel in a block.
 *
 * <pre>
 *   ordinal of the receiver (4, or 8 where rows are wide) | value (4 or 8)
 * </pre>
 *
 * @param ordinalBytes bytes of the ordinal
 * @param valueBytes bytes of the value
 */
record MessageRecords(int ordinalBytes, int valueBytes) {
    /** Bytes of a message. */
    int bytes() {
        return ordinalBytes + valueBytes;
    }

    /** Writes a message. */
    void write(long at, long ordinal, long value) {
        AdjacencyLayout.store(at, ordinalBytes, ordinal);
        ColumnType.store(at + ordinalBytes, valueBytes, value);
    }

    /** The receiver. */
    long ordinal(long at) {
        return AdjacencyLayout.load(at, ordinalBytes);
    }

    /** Bits of the value. */
    long value(long at) {
        return ColumnType.load(at + ordinalBytes, valueBytes);
    }
}
