package org.starling.benchmarks.studies.adjacency;

import org.starling.net.NativeMemory;

/**
 * The degree, then gaps less 1 in blocks of four: a control byte with two bits for each gap's
 * length of 1 to 4 bytes, and the gaps (group varint: J. Dean, "Challenges in Building Large-Scale
 * Information Retrieval Systems", WSDM 2009).
 */
final class GroupCoding implements RowCoding {
    /** Gaps of a block. */
    private static final int BLOCK = 4;

    @Override
    public String name() {
        return "group";
    }

    @Override
    public long bytes(long targets, int degree) {
        if (degree == 0) {
            return 0;
        }
        long bytes = (long) VarBytes.bytes(degree) + controls(degree);
        for (int i = 0; i < degree; i++) {
            bytes += length(gapOf(targets, i));
        }
        return bytes;
    }

    @Override
    public long write(long targets, int degree, long to) {
        if (degree == 0) {
            return to;
        }
        long at = VarBytes.write(degree, to);
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
        if (from == end) {
            return 0;
        }
        int degree = degree(from);
        long at = from + VarBytes.bytes(degree);
        long target = -1;
        int control = 0;
        for (int i = 0; i < degree; i++) {
            control = i % BLOCK == 0 ? NativeMemory.getByte(at++) : control >> 2;
            target += 1 + gap(at, control);
            at += (control & 3) + 1;
            into[i] = (int) target;
        }
        return degree;
    }

    @Override
    public long sums(CodedRows rows, int first, int end, long values) {
        long sums = 0;
        for (int vertex = first; vertex < end; vertex++) {
            long at = rows.start(vertex);
            double sum = at == rows.end(vertex) ? 0 : sum(at, values);
            sums += Double.doubleToRawLongBits(sum);
        }
        return sums;
    }

    private static double sum(long from, long values) {
        int degree = degree(from);
        long at = from + VarBytes.bytes(degree);
        long target = -1;
        double sum = 0;
        for (; degree >= BLOCK; degree -= BLOCK) {
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
        if (degree > 0) {
            int control = NativeMemory.getByte(at++);
            for (; degree > 0; degree--, control >>= 2) {
                target += 1 + gap(at, control);
                at += (control & 3) + 1;
                sum += RowCoding.value(values, target);
            }
        }
        return sum;
    }

    @Override
    public long parents(CodedRows rows, int first, int end, long bits) {
        long parents = 0;
        for (int vertex = first; vertex < end; vertex++) {
            long at = rows.start(vertex);
            if (at < rows.end(vertex) && !RowCoding.isIn(bits, vertex)) {
                parents += parent(at, bits);
            }
        }
        return parents;
    }

    private static long parent(long from, long bits) {
        int degree = degree(from);
        long at = from + VarBytes.bytes(degree);
        long target = -1;
        int control = 0;
        for (int i = 0; i < degree; i++) {
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

    /** Control bytes of a row. */
    private static int controls(int degree) {
        return Math.ceilDiv(degree, BLOCK);
    }

    /** The degree, which a row that has neighbours begins with. */
    private static int degree(long at) {
        byte first = NativeMemory.getByte(at);
        return first >= 0 ? first : (int) VarBytes.more(at, first);
    }
}
