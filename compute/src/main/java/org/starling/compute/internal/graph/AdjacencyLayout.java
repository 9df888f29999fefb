package org.starling.compute.internal.graph;

import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/**
 * A vertex chunk: its row of neighbours.
 *
 * <pre>
 *   +-------------------------------+--------------------------------+
 *   | targets: degree × 4 or 8 byte | weights: degree × 4 byte float |   (weights only in weighted graphs)
 *   +-------------------------------+--------------------------------+
 * </pre>
 *
 * Targets are ordinals, unsigned, ascending, little-endian, without alignment; all of a graph have
 * one width. The degree follows from the chunk's length. The chunk's table entry (room store) leads
 * to address and length. Kernels hold a layout as a constant, so that what depends on it folds away
 * (see {@code KernelCompiler}).
 *
 * @param targetBytes bytes per target, {@link #NARROW_BYTES} or {@link #WIDE_BYTES}
 * @param weighted whether there are weights
 */
public record AdjacencyLayout(int targetBytes, boolean weighted) {
    /** Bytes per target where ordinals fit into 32 bits. */
    public static final int NARROW_BYTES = Integer.BYTES;

    /** Bytes per target where they do not. */
    public static final int WIDE_BYTES = Long.BYTES;

    /** Bytes per weight. */
    public static final int WEIGHT_BYTES = Float.BYTES;

    /** Most vertices for targets of 4 bytes: all ones mean "none". */
    public static final long MAX_NARROW_VERTICES = (1L << 32) - 1;

    /** Largest number of vertices: columns of 8 bytes each must fit into an address space. */
    public static final long MAX_VERTICES = 1L << 40;

    /** Checks the width. */
    public AdjacencyLayout {
        if (targetBytes != NARROW_BYTES && targetBytes != WIDE_BYTES) {
            throw new IllegalArgumentException("targets of " + targetBytes + " bytes");
        }
    }

    /** Bytes per target in a graph of so many vertices; 8 in any graph that is to be wide. */
    public static int targetBytes(long vertices, boolean wide) {
        return wide || vertices > MAX_NARROW_VERTICES ? WIDE_BYTES : NARROW_BYTES;
    }

    /** Bytes per edge, the weight included. */
    public int edgeBytes() {
        return weighted ? targetBytes + WEIGHT_BYTES : targetBytes;
    }

    /** Largest degree: a chunk has less than 2 GiB. */
    public int maxDegree() {
        return Integer.MAX_VALUE / edgeBytes();
    }

    /** Length of the chunk of a vertex. */
    public int bytes(int degree) {
        return degree * edgeBytes();
    }

    /** Degree of the vertex whose chunk has this length. */
    public int degree(int bytes) {
        return degree(bytes, reciprocal());
    }

    /** Degree of the vertex whose chunk has this table entry. */
    public int degreeOf(long entry) {
        return degreeOf(entry, reciprocal());
    }

    /** The same for those who keep a {@link #reciprocal}. */
    static int degreeOf(long entry, long reciprocal) {
        return degree(ChunkEntryLayout.payloadBytes(entry), reciprocal);
    }

    /**
     * What a chunk's length is multiplied by, since dividing takes long and 12 is no power of two:
     * 2^35 by the bytes of an edge, rounded up. Exact for all lengths below 2^31 that are whole
     * rows.
     */
    long reciprocal() {
        if (weighted) {
            return targetBytes == NARROW_BYTES ? 1L << 32 : 0xAAAA_AAABL;
        }
        return targetBytes == NARROW_BYTES ? 1L << 33 : 1L << 32;
    }

    private static int degree(int bytes, long reciprocal) {
        return (int) ((bytes * reciprocal) >>> 35);
    }

    /** Address of the first target. */
    public static long targets(long entry) {
        return ChunkEntryLayout.payloadAddress(entry);
    }

    /** Address behind the last of so many targets, where the weights begin. */
    public long targetsEnd(long targets, int degree) {
        return targets + (long) targetBytes * degree;
    }

    /** Address of the weight of the edge at {@code index} of a row. */
    public long weight(long targets, int degree, int index) {
        return targetsEnd(targets, degree) + (long) WEIGHT_BYTES * index;
    }

    /** The target at an address. */
    public long target(long address) {
        return load(address, targetBytes);
    }

    /** The target at {@code index} of the row whose first target is at an address. */
    public long target(long targets, int index) {
        return target(targets + (long) targetBytes * index);
    }

    /** An ordinal of 4 bytes, unsigned, or of 8. */
    public static long load(long address, int bytes) {
        return bytes == NARROW_BYTES
                ? Integer.toUnsignedLong(NativeMemory.getInt(address))
                : NativeMemory.getLong(address);
    }

    /** Writes an ordinal in 4 bytes or 8. */
    public static void store(long address, int bytes, long ordinal) {
        if (bytes == NARROW_BYTES) {
            NativeMemory.putInt(address, (int) ordinal);
        } else {
            NativeMemory.putLong(address, ordinal);
        }
    }
}
