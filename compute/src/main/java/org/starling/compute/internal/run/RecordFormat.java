package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.net.NativeMemory;

/**
 * Layout of a message that is not combined, in a block and in memory.
 *
 * <pre>
 *   ordinal of the receiver (4, or 8 where rows are wide)
 *   ordinal of the sender (as many) | number (4) | fields …
 * </pre>
 *
 * The number ascends with what the sender's worker sends in a superstep.
 *
 * @param ordinalBytes bytes of an ordinal
 * @param fieldBytes bytes of all fields
 */
record RecordFormat(int ordinalBytes, int fieldBytes) {
    /** Bytes of a message. */
    int bytes() {
        return fields() + fieldBytes;
    }

    /** Where the fields begin. */
    int fields() {
        return 2 * ordinalBytes + Integer.BYTES;
    }

    long receiver(long at) {
        return AdjacencyLayout.load(at, ordinalBytes);
    }

    long sender(long at) {
        return AdjacencyLayout.load(at + ordinalBytes, ordinalBytes);
    }

    void writeReceiver(long at, long ordinal) {
        AdjacencyLayout.store(at, ordinalBytes, ordinal);
    }

    void writeSender(long at, long ordinal) {
        AdjacencyLayout.store(at + ordinalBytes, ordinalBytes, ordinal);
    }

    void writeNumber(long at, int number) {
        NativeMemory.putInt(at + 2L * ordinalBytes, number);
    }

    /** Whether a message comes before another one of the same receiver. */
    boolean isBefore(long left, long right) {
        long leftSender = sender(left);
        long rightSender = sender(right);
        return leftSender == rightSender
                ? Integer.compareUnsigned(number(left), number(right)) < 0
                : leftSender < rightSender;
    }

    private int number(long at) {
        return NativeMemory.getInt(at + 2L * ordinalBytes);
    }
}
