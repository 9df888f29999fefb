package org.starling.benchmarks.studies;

import org.starling.net.NativeMemory;

/**
 * Gaps less 1 in blocks of four: a control byte with two bits for each gap's length of 1 to 4
 * bytes, and the gaps (group varint: J. Dean, "Challenges in Building Large-Scale Information
 * Retrieval Systems", WSDM 2009). The last block of a row has fewer where the row ends.
 */
final class GroupCoding implements RowCoding {
    /** Gaps of a block. */
    private static final int BLOCK = 4;

    /** Most bytes of a block of three gaps; a row with more left has a whole block. */
    private static final int MAX_PARTIAL_BYTES = 1 + 3 * Integer.BYTES;

    @Override
    public String name() {
        return "group";
    }

    @Override
    public long bytes(long targets, int degree) {
        long bytes = Math.ceilDiv(degree, BLOCK);
        for (int i = 0; i < degree; i++) {
            bytes += length(gapOf(targets, i));
        }
        return bytes;
    }

    @Override
    public long write(long targets, int degree, long to) {
        long at = to;
        for (int block = 0; block < degree; block += BLOCK) {
            long control = at++;
            int codes = 0;
            for (int i = block; i < Math.min(degree, block + BLOCK); i++) {
                long gap = gapOf(targets, i);
                int length = length(gap);
                codes |= (length - 1) << (2 * (i - block));
                for (int b = 0; b < length; b++) {
                    NativeMemory.putByte(at++, (byte) (gap >>> (Byte.SIZE * b)));
                }
            }
            NativeMemory.putByte(control, (byte) codes);
        }
        return at;
    }

    @Override
    public int read(long from, long end, int[] into) {
        long target = -1;
        int control = 0;
        int degree = 0;
        for (long at = from; at < end; degree++) {
            control = degree % BLOCK == 0 ? NativeMemory.getByte(at++) : control >> 2;
            target += 1 + gap(at, control);
            at += (control & 3) + 1;
            into[degree] = (int) target;
        }
        return degree;
    }

    @Override
    public long sums(CodedRows rows, int first, int end, long values) {
        long sums = 0;
        for (int vertex = first; vertex < end; vertex++) {
            sums += Double.doubleToRawLongBits(sum(rows.start(vertex), rows.end(vertex), values));
        }
        return sums;
    }

    private static double sum(long from, long end, long values) {
        long at = from;
        long target = -1;
        double sum = 0;
        while (end - at > MAX_PARTIAL_BYTES) {
            int control = NativeMemory.getByte(at++);
            target += 1 + gap(at, control);
            at += (control & 3) + 1;
            sum += RowCoding.value(values, target);
            target += 1 + gap(at, control >> 2);
            at += (control >> 2 & 3) + 1;
            sum += RowCoding.value(values, target);
            target += 1 + gap(at, control >> 4);
            at += (control >> 4 & 3) + 1;
            sum += RowCoding.value(values, target);
            target += 1 + gap(at, control >> 6);
            at += (control >> 6 & 3) + 1;
            sum += RowCoding.value(values, target);
        }
        int control = 0;
        for (int i = 0; at < end; i++) {
            control = i % BLOCK == 0 ? NativeMemory.getByte(at++) : control >> 2;
            target += 1 + gap(at, control);
            at += (control & 3) + 1;
            sum += RowCoding.value(values, target);
        }
        return sum;
    }

    @Override
    public long parents(CodedRows rows, int first, int end, long bits) {
        long parents = 0;
        for (int vertex = first; vertex < end; vertex++) {
            if (!RowCoding.isIn(bits, vertex)) {
                parents += parent(rows.start(vertex), rows.end(vertex), bits);
            }
        }
        return parents;
    }

    private static long parent(long from, long end, long bits) {
        long at = from;
        long target = -1;
        int control = 0;
        for (int i = 0; at < end; i++) {
            control = i % BLOCK == 0 ? NativeMemory.getByte(at++) : control >> 2;
            target += 1 + gap(at, control);
            at += (control & 3) + 1;
            if (RowCoding.isIn(bits, target)) {
                return target;
            }
        }
        return 0;
    }

    /** The gap at an address, of the length in the lowest two bits. */
    private static long gap(long at, int control) {
        int unused = Integer.SIZE - Byte.SIZE - Byte.SIZE * (control & 3);
        return Integer.toUnsignedLong(NativeMemory.getInt(at) << unused >>> unused);
    }

    /** Bytes that a gap takes: 1 to 4. */
    private static int length(long gap) {
        return Math.max(1, Math.ceilDiv(Long.SIZE - Long.numberOfLeadingZeros(gap), Byte.SIZE));
    }

    /** Neighbour at an index less its predecessor less 1; the first one's predecessor is −1. */
    private static long gapOf(long targets, int index) {
        long target = target(targets, index);
        return index == 0 ? target : target - target(targets, index - 1) - 1;
    }

    private static long target(long targets, int index) {
        return Integer.toUnsignedLong(NativeMemory.getInt(targets + (long) index * Integer.BYTES));
    }
}
