package org.starling.compute.internal.build;

import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.net.NativeMemory;

/**
 * Layout of edges in {@link Records} and blocks while a graph is made.
 *
 * <pre>
 *   first end (4 or 8) | second end (4 or 8) | weight (4, if weighted)
 * </pre>
 *
 * Ends are ids as read from a sparse source (8 bytes); then ranks of ids; then, on the way and in
 * buckets, ordinal or index in the shard, and ordinal. Ranks and ordinals take as many bytes as
 * targets in rows.
 *
 * @param endBytes bytes of an end: 4, unsigned, or 8
 * @param weighted whether there are weights
 */
record EdgeRecords(int endBytes, boolean weighted) {
    private static final int WEIGHT_BYTES = Float.BYTES;

    /** Bytes of an edge. */
    int bytes() {
        return 2 * endBytes + (weighted ? WEIGHT_BYTES : 0);
    }

    /** Writes an edge. */
    void write(long at, long first, long second, float weight) {
        AdjacencyLayout.store(at, endBytes, first);
        AdjacencyLayout.store(at + endBytes, endBytes, second);
        if (weighted) {
            NativeMemory.putFloat(at + 2L * endBytes, weight);
        }
    }

    /** The first end. */
    long first(long at) {
        return AdjacencyLayout.load(at, endBytes);
    }

    /** The second end. */
    long second(long at) {
        return AdjacencyLayout.load(at + endBytes, endBytes);
    }

    /** The weight; 1 if there are none. */
    float weight(long at) {
        return weighted ? NativeMemory.getFloat(at + 2L * endBytes) : 1f;
    }
}
