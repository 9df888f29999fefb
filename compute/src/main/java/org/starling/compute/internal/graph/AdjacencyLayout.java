package org.starling.compute.internal.graph;

import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/**
 * A vertex chunk: its row of neighbours.
 *
 * <pre>
 *   +--------------------------+--------------------------------+
 *   | targets: degree × 4 byte | weights: degree × 4 byte float |   (weights only in weighted graphs)
 *   +--------------------------+--------------------------------+
 * </pre>
 *
 * Targets are ordinals, unsigned, ascending, little-endian, without alignment. The degree follows
 * from the chunk's length. The chunk's table entry (room store) leads to address and length.
 */
public final class AdjacencyLayout {
    /** Bytes per target. */
    public static final int TARGET_BYTES = 4;

    /** Bytes per weight. */
    public static final int WEIGHT_BYTES = 4;

    /** Largest number of vertices: ordinals fit into 32 bits, and all ones mean "none". */
    public static final long MAX_VERTICES = (1L << 32) - 1;

    /** Largest degree: a chunk has less than 2 GiB. */
    public static final int MAX_DEGREE = Integer.MAX_VALUE / (TARGET_BYTES + WEIGHT_BYTES);

    private AdjacencyLayout() {}

    /** Bytes per edge as a power of two: 2 without weights, 3 with. */
    public static int edgeShift(boolean weighted) {
        return weighted ? 3 : 2;
    }

    /** Length of the chunk of a vertex. */
    public static int bytes(int degree, boolean weighted) {
        return degree << edgeShift(weighted);
    }

    /** Degree of the vertex whose chunk has this table entry. */
    public static int degree(long entry, int edgeShift) {
        return ChunkEntryLayout.payloadBytes(entry) >>> edgeShift;
    }

    /** Address of the first target. */
    public static long targets(long entry) {
        return ChunkEntryLayout.payloadAddress(entry);
    }

    /** The target at an address. */
    public static long target(long address) {
        return Integer.toUnsignedLong(NativeMemory.getInt(address));
    }
}
