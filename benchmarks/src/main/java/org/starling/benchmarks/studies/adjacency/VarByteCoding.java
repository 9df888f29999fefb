package org.starling.benchmarks.studies.adjacency;

import org.starling.net.NativeMemory;

/**
 * The degree, then gaps less 1, each in 1 to 5 bytes of 7 bits ({@link VarBytes}); the first is the
 * gap from −1.
 */
public final class VarByteCoding implements RowCoding {
    @Override
    public String name() {
        return "varbyte";
    }

    @Override
    public long bytes(long targets, int degree) {
        long bytes = degree == 0 ? 0 : VarBytes.bytes(degree);
        long last = -1;
        for (int i = 0; i < degree; i++) {
            long target = Integer.toUnsignedLong(NativeMemory.getInt(targets + 4L * i));
            bytes += VarBytes.bytes(target - last - 1);
            last = target;
        }
        return bytes;
    }

    @Override
    public long write(long targets, int degree, long to) {
        if (degree == 0) {
            return to;
        }
        long at = VarBytes.write(degree, to);
        long last = -1;
        for (int i = 0; i < degree; i++) {
            long target = Integer.toUnsignedLong(NativeMemory.getInt(targets + 4L * i));
            at = VarBytes.write(target - last - 1, at);
            last = target;
        }
        return at;
    }

    @Override
    public int read(long from, long end, int[] into) {
        int degree = 0;
        long target = -1;
        for (long at = skipDegree(from, end); at < end; ) {
            byte first = NativeMemory.getByte(at);
            long gap = first >= 0 ? first : VarBytes.more(at, first);
            at += first >= 0 ? 1 : VarBytes.bytes(gap);
            target += gap + 1;
            into[degree++] = (int) target;
        }
        return degree;
    }

    @Override
    public long sums(CodedRows rows, int first, int end, long values) {
        long sums = 0;
        for (int vertex = first; vertex < end; vertex++) {
            double sum = sum(rows.start(vertex), rows.end(vertex), values);
            sums += Double.doubleToRawLongBits(sum);
        }
        return sums;
    }

    private static double sum(long from, long end, long values) {
        double sum = 0;
        long target = -1;
        for (long at = skipDegree(from, end); at < end; ) {
            byte first = NativeMemory.getByte(at);
            if (first >= 0) {
                target += first + 1L;
                at++;
            } else {
                long gap = VarBytes.more(at, first);
                target += gap + 1;
                at += VarBytes.bytes(gap);
            }
            sum += Vertices.value(values, target);
        }
        return sum;
    }

    @Override
    public long parents(CodedRows rows, int first, int end, long bits) {
        long parents = 0;
        for (int vertex = first; vertex < end; vertex++) {
            if (!Vertices.isIn(bits, vertex)) {
                parents += parent(rows.start(vertex), rows.end(vertex), bits);
            }
        }
        return parents;
    }

    private static long parent(long from, long end, long bits) {
        long target = -1;
        for (long at = skipDegree(from, end); at < end; ) {
            byte first = NativeMemory.getByte(at);
            if (first >= 0) {
                target += first + 1L;
                at++;
            } else {
                long gap = VarBytes.more(at, first);
                target += gap + 1;
                at += VarBytes.bytes(gap);
            }
            if (Vertices.isIn(bits, target)) {
                return target;
            }
        }
        return 0;
    }

    private static long skipDegree(long from, long end) {
        long at = from;
        while (at < end && NativeMemory.getByte(at) < 0) {
            at++;
        }
        return at + 1;
    }
}
