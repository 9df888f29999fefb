package org.starling.benchmarks.studies;

import org.starling.net.NativeMemory;

/** Neighbours as they are, 4 bytes each: the engine's own rows. */
final class PlainCoding implements RowCoding {
    @Override
    public String name() {
        return "plain";
    }

    @Override
    public long bytes(long targets, int degree) {
        return (long) degree * Integer.BYTES;
    }

    @Override
    public long write(long targets, int degree, long to) {
        NativeMemory.copy(targets, to, bytes(targets, degree));
        return to + bytes(targets, degree);
    }

    @Override
    public int read(long at, long end, int[] into) {
        int degree = (int) ((end - at) / Integer.BYTES);
        NativeMemory.copyToArray(at, into, 0, degree);
        return degree;
    }

    @Override
    public long sums(CodedRows rows, int first, int end, long values) {
        long sums = 0;
        for (int vertex = first; vertex < end; vertex++) {
            double sum = 0;
            long rowEnd = rows.end(vertex);
            for (long at = rows.start(vertex); at < rowEnd; at += Integer.BYTES) {
                sum += RowCoding.value(values, Integer.toUnsignedLong(NativeMemory.getInt(at)));
            }
            sums += Double.doubleToRawLongBits(sum);
        }
        return sums;
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

    /** Neighbours that {@link #parents} looks at. */
    static long scannedEdges(CodedRows rows, int first, int end, long bits) {
        long edges = 0;
        for (int vertex = first; vertex < end; vertex++) {
            boolean found = RowCoding.isIn(bits, vertex);
            for (long at = rows.start(vertex); at < rows.end(vertex) && !found; at += 4) {
                found = RowCoding.isIn(bits, Integer.toUnsignedLong(NativeMemory.getInt(at)));
                edges++;
            }
        }
        return edges;
    }

    private static long parent(long from, long end, long bits) {
        for (long at = from; at < end; at += Integer.BYTES) {
            long target = Integer.toUnsignedLong(NativeMemory.getInt(at));
            if (RowCoding.isIn(bits, target)) {
                return target;
            }
        }
        return 0;
    }
}
