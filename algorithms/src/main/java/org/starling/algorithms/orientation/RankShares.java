package org.starling.algorithms.orientation;

import org.starling.graph.Adjacency;
import org.starling.graph.Shard;

/**
 * Which ranks each shard works on.
 *
 * <p>A shard gets as large a part of all ranks as its vertices have of all vertices and ends of
 * edges. By that weight the engine shares shards out, so that every node gets its part, whether it
 * has few vertices with many edges or many with few. But since one worker computes a shard, no
 * block of {@value #BLOCK} vertices weighs more than a {@value #PARTS}th of all: in small graphs
 * the hubs' one does, and the others would wait for it. Which ranks make a share, a {@link
 * Scattering} says. All depends on nothing but the graph. Immutable; costs 8 bytes per block.
 */
public final class RankShares {
    private static final int BLOCK_SHIFT = 6;
    private static final int BLOCK = 1 << BLOCK_SHIFT;
    private static final int PARTS = 16;

    private final int vertices;
    private final Scattering scattering;

    /** What the vertices before each block weigh, and all. */
    private final long[] weights;

    /**
     * @param rows rows of all vertices; of outgoing edges, if edges have a direction. At most
     *     {@link OrientedGraph#MAX_SIZE} edges
     * @param vertices number of vertices
     */
    public RankShares(Adjacency rows, int vertices) {
        this.vertices = vertices;
        this.scattering = new Scattering(vertices);
        this.weights = new long[Math.ceilDiv(vertices, BLOCK) + 1];
        long total = 0;
        for (int vertex = 0; vertex < vertices; vertex++) {
            long weight = 1L + rows.degree(vertex);
            weights[(vertex >>> BLOCK_SHIFT) + 1] += weight;
            total += weight;
        }
        for (int block = 1; block < weights.length; block++) {
            long most = total / Math.min(PARTS, weights.length - 1);
            weights[block] = weights[block - 1] + Math.min(weights[block], most);
        }
    }

    /** First position of a shard's share. */
    public long begin(Shard shard) {
        return position(shard.first());
    }

    /** Position behind a shard's share. */
    public long end(Shard shard) {
        return position(shard.end());
    }

    /** The rank at a position. */
    public int rank(long position) {
        return scattering.at(position);
    }

    /**
     * How many ranks belong to the vertices before one. Inside a block all vertices weigh the same.
     */
    long position(long vertex) {
        if (vertex == vertices) {
            return vertices;
        }
        int block = (int) (vertex >>> BLOCK_SHIFT);
        long weight = weights[block + 1] - weights[block];
        long before = weights[block] + ((weight * (vertex & (BLOCK - 1))) >>> BLOCK_SHIFT);
        return part(vertices, before, weights[weights.length - 1]);
    }

    /** How many of so many ranks belong to a part of a weight; below {@code ranks}. */
    static long part(int ranks, long before, long weight) {
        return Long.divideUnsigned(ranks * before, weight); // at most 3 * 2^62
    }
}
