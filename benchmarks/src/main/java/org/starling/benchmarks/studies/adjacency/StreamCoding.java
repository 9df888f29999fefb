package org.starling.benchmarks.studies.adjacency;

import org.starling.net.NativeMemory;

/**
 * The degree, then a control byte for each four gaps, with two bits for a gap's length of 0, 1, 2
 * or 4 bytes, then all gaps less 1 (Lemire, Kurz and Rupp, "Stream VByte: Faster Byte-Oriented
 * Integer Compression", Information Processing Letters 130, 2018; the variant with lengths 0124).
 */
public final class StreamCoding implements RowCoding {
    /** Length by code, four bits each: 0, 1, 2, 4. */
    private static final int LENGTHS = 0x4210;

    @Override
    public String name() {
        return "stream";
    }

    @Override
    public long bytes(long targets, int degree) {
        if (degree == 0) {
            return 0;
        }
        long bytes = (long) VarBytes.bytes(degree) + Gaps.controls(degree);
        for (int i = 0; i < degree; i++) {
            bytes += length(code(Gaps.gap(targets, i)));
        }
        return bytes;
    }

    @Override
    public long write(long targets, int degree, long to) {
        if (degree == 0) {
            return to;
        }
        long control = VarBytes.write(degree, to);
        long at = control + Gaps.controls(degree);
        for (int block = 0; block < degree; block += Gaps.BLOCK) {
            int codes = 0;
            for (int i = block; i < Math.min(degree, block + Gaps.BLOCK); i++) {
                long gap = Gaps.gap(targets, i);
                int code = code(gap);
                codes |= code << (2 * (i - block));
                for (int b = 0; b < length(code); b++) {
                    NativeMemory.putByte(at++, (byte) (gap >>> (Byte.SIZE * b)));
                }
            }
            NativeMemory.putByte(control++, (byte) codes);
        }
        return at;
    }

    @Override
    public int read(long from, long end, int[] into) {
        if (from == end) {
            return 0;
        }
        int degree = Gaps.degree(from);
        long controls = from + VarBytes.bytes(degree);
        long at = controls + Gaps.controls(degree);
        long target = -1;
        for (int i = 0; i < degree; i++) {
            int code =
                    (NativeMemory.getByte(controls + i / Gaps.BLOCK) >> (2 * (i % Gaps.BLOCK))) & 3;
            target += 1 + gap(at, code);
            at += length(code);
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
        int degree = Gaps.degree(from);
        long control = from + VarBytes.bytes(degree);
        long at = control + Gaps.controls(degree);
        long target = -1;
        double sum = 0;
        for (; degree >= Gaps.BLOCK; degree -= Gaps.BLOCK) {
            int codes = NativeMemory.getByte(control++);
            target += 1 + gap(at, codes & 3);
            at += length(codes & 3);
            sum += Vertices.value(values, target);
            target += 1 + gap(at, codes >> 2 & 3);
            at += length(codes >> 2 & 3);
            sum += Vertices.value(values, target);
            target += 1 + gap(at, codes >> 4 & 3);
            at += length(codes >> 4 & 3);
            sum += Vertices.value(values, target);
            target += 1 + gap(at, codes >> 6 & 3);
            at += length(codes >> 6 & 3);
            sum += Vertices.value(values, target);
        }
        for (int codes = NativeMemory.getByte(control); degree > 0; degree--, codes >>= 2) {
            target += 1 + gap(at, codes & 3);
            at += length(codes & 3);
            sum += Vertices.value(values, target);
        }
        return sum;
    }

    @Override
    public long parents(CodedRows rows, int first, int end, long bits) {
        long parents = 0;
        for (int vertex = first; vertex < end; vertex++) {
            long at = rows.start(vertex);
            if (at < rows.end(vertex) && !Vertices.isIn(bits, vertex)) {
                parents += parent(at, bits);
            }
        }
        return parents;
    }

    private static long parent(long from, long bits) {
        int degree = Gaps.degree(from);
        long controls = from + VarBytes.bytes(degree);
        long at = controls + Gaps.controls(degree);
        long target = -1;
        for (int i = 0; i < degree; i++) {
            int code =
                    (NativeMemory.getByte(controls + i / Gaps.BLOCK) >> (2 * (i % Gaps.BLOCK))) & 3;
            target += 1 + gap(at, code);
            at += length(code);
            if (Vertices.isIn(bits, target)) {
                return target;
            }
        }
        return 0;
    }

    /** The gap at an address. */
    private static long gap(long at, int code) {
        long mask = (1L << (Byte.SIZE * length(code))) - 1;
        return NativeMemory.getInt(at) & mask;
    }

    private static int code(long gap) {
        return Math.min(3, Gaps.significantBytes(gap));
    }

    private static int length(int code) {
        return (LENGTHS >> (4 * code)) & 7;
    }
}
