package org.starling.benchmarks.studies.adjacency;

import org.starling.net.NativeMemory;

/** Gaps of a row, for codings that put four of them behind one control byte. Stateless. */
final class Gaps {
    /** Gaps of a block. */
    static final int BLOCK = 4;

    private Gaps() {}

    /** Neighbour at an index less its predecessor less 1; the first one's predecessor is −1. */
    static long gap(long targets, int index) {
        long target = target(targets, index);
        return index == 0 ? target : target - target(targets, index - 1) - 1;
    }

    /** Bytes that a gap needs: 0 to 4. */
    static int significantBytes(long gap) {
        return Math.ceilDiv(Long.SIZE - Long.numberOfLeadingZeros(gap), Byte.SIZE);
    }

    /** Control bytes of a row. */
    static int controls(int degree) {
        return Math.ceilDiv(degree, BLOCK);
    }

    /** The degree, which a row that has neighbours begins with. */
    static int degree(long at) {
        byte first = NativeMemory.getByte(at);
        return first >= 0 ? first : (int) VarBytes.more(at, first);
    }

    private static long target(long targets, int index) {
        return Integer.toUnsignedLong(NativeMemory.getInt(targets + (long) index * Integer.BYTES));
    }
}
