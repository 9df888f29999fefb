package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.headerBytesFor;

import java.util.Objects;
import org.starling.net.NativeMemory;

/**
 * The payload lengths of the chunks of a range, in id order. Immutable as long as its source is.
 */
public sealed interface Sizes {
    /**
     * How many chunks.
     *
     * @return at least 1
     */
    int count();

    /** Length of one payload. */
    int bytes(int index);

    /**
     * The lengths added up.
     *
     * @param payloadBytes of all payloads
     * @param headerBytes of all length headers
     */
    record Totals(long payloadBytes, long headerBytes) {
        /** Of all blocks. */
        long blockBytes() {
            return payloadBytes + headerBytes;
        }
    }

    /**
     * Checks all lengths and adds them up.
     *
     * @throws IllegalArgumentException if a length is negative
     */
    default Totals totals() {
        long payloadBytes = 0;
        long headerBytes = 0;
        for (int i = 0; i < count(); i++) {
            int bytes = bytes(i);
            if (bytes < 0) {
                throw new IllegalArgumentException(
                        "size " + bytes + " of chunk " + i + " of a range is negative");
            }
            payloadBytes += bytes;
            headerBytes += headerBytesFor(bytes);
        }
        return new Totals(payloadBytes, headerBytes);
    }

    private static void checkCount(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("a range has at least one chunk, not " + count);
        }
    }

    /**
     * The same length for all.
     *
     * @param count chunks
     * @param each bytes of each
     */
    record Uniform(int count, int each) implements Sizes {
        /** Checks the count. */
        public Uniform {
            checkCount(count);
        }

        @Override
        public int bytes(int index) {
            return each;
        }
    }

    /**
     * Lengths in a part of an array.
     *
     * @param sizes the array
     * @param offset index of the first
     * @param count how many
     */
    @SuppressWarnings("ArrayRecordComponent") // a view of the caller's array, never compared
    record InArray(int[] sizes, int offset, int count) implements Sizes {
        /** Checks the bounds. */
        public InArray {
            checkCount(count);
            Objects.checkFromIndexSize(offset, count, sizes.length);
        }

        @Override
        public int bytes(int index) {
            return sizes[offset + index];
        }
    }

    /**
     * Lengths as native ints, one after the other.
     *
     * @param address of the first
     * @param count how many
     */
    record InMemory(long address, int count) implements Sizes {
        /** Checks the count. */
        public InMemory {
            checkCount(count);
        }

        @Override
        public int bytes(int index) {
            return NativeMemory.getInt(address + (long) index * Integer.BYTES);
        }
    }
}
