package org.starling.algorithms.triangles;

import org.starling.algorithms.orientation.OrientedGraph;

/**
 * The edges between the vertices of the smallest ranks as bits: row v has bit w if w &lt; v is a
 * neighbour of v.
 *
 * <p>Most triangles of a skewed graph close in rows of a few vertices of high degree; asking a bit
 * is cheaper than going through such a row. Built once per node and shared by its workers;
 * immutable. Costs {@link #MAX_HUBS}² / 16 bytes (4 MiB, so that it stays in a cache) at most.
 */
final class HubMatrix {
    /** Largest number of rows. */
    static final int MAX_HUBS = 1 << 13;

    /** Row v begins at {@code begin[v]} and takes as many words as v bits need, at least one. */
    private final int[] begin;

    private final long[] words;

    HubMatrix(OrientedGraph graph) {
        int hubs = Math.min(MAX_HUBS, graph.vertices());
        begin = new int[hubs + 1];
        for (int hub = 0; hub < hubs; hub++) {
            begin[hub + 1] = begin[hub] + hub / Long.SIZE + 1;
        }
        words = new long[begin[hubs]];
        for (int hub = 0; hub < hubs; hub++) {
            for (int index = graph.begin(hub); index < graph.end(hub); index++) {
                int neighbour = graph.neighbour(index);
                words[begin[hub] + neighbour / Long.SIZE] |= 1L << neighbour;
            }
        }
    }

    /** Number of rows. */
    int hubs() {
        return begin.length - 1;
    }

    /** Where the row of a hub begins, for {@link #bit}. */
    int row(int hub) {
        return begin[hub];
    }

    /** 1 if {@code neighbour}, of a smaller rank than the row's hub, is its neighbour; else 0. */
    int bit(int row, int neighbour) {
        return (int) (words[row + (neighbour >>> 6)] >>> neighbour) & 1;
    }
}
