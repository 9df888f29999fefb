package org.starling.net.internal;

/**
 * Compact numbers: 7 bits a byte, low bits first, the top bit says that more follow (LEB128,
 * unsigned).
 */
final class CompactNumbers {

    /** Most bytes of a compact int. */
    static final int MAX_INT_BYTES = 5;

    /** Most bytes of a compact long. */
    static final int MAX_LONG_BYTES = 10;

    private CompactNumbers() {}

    /** Bytes that {@code value}, taken as unsigned, needs. */
    static int bytes(long value) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
        return (bits + 6) / 7;
    }
}
