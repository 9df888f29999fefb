package org.starling.benchmarks.studies.adjacency;

import org.starling.net.NativeMemory;

/**
 * Numbers of 7 bits a byte, the lowest first; a byte below 128 is a number's last (LEB128, DWARF 4,
 * section 7.6).
 */
final class VarBytes {
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    private VarBytes() {}

    static int bytes(long number) {
        int significant = Long.SIZE - Long.numberOfLeadingZeros(number | 1);
        return Math.ceilDiv(significant, BITS);
    }

    /** Writes a number; returns the address behind it. */
    static long write(long number, long to) {
        long at = to;
        long rest = number;
        while (rest >= MORE) {
            NativeMemory.putByte(at++, (byte) (rest | MORE));
            rest >>>= BITS;
        }
        NativeMemory.putByte(at++, (byte) rest);
        return at;
    }

    /** The rest of a number whose first byte says that there is more. */
    static long more(long at, byte first) {
        long number = first & (MORE - 1);
        int shift = BITS;
        for (long next = at + 1; ; next++) {
            byte read = NativeMemory.getByte(next);
            number |= (read & (MORE - 1L)) << shift;
            if (read >= 0) {
                return number;
            }
            shift += BITS;
        }
    }
}
