package org.starling.compute.internal.group;

import java.util.Arrays;

/**
 * Cuts a graph into shards of about the same number of edges, and shares the shards out among
 * slaves.
 *
 * <p>The cut depends on the graph alone, not on the number of slaves, so that whatever is reduced
 * in the order of shards comes out the same. Shards begin at multiples of the granule, and a
 * granule is a multiple of 64 vertices.
 */
final class ShardCut {
    /** Smallest granule, as a power of two: a word of a bitmap. */
    private static final int MIN_GRANULE_SHIFT = 6;

    private static final long MAX_GRANULES = 1 << 20;
    private static final long EDGE_ENDS_PER_SHARD = 1 << 18;
    private static final long MIN_SHARDS = 64;
    private static final long MAX_SHARDS = 1 << 14;

    private final long[] firsts;
    private final long[] weights;

    /**
     * Cuts.
     *
     * @param vertices number of vertices
     * @param granuleShift vertices per granule, as a power of two
     * @param edgeEnds ends of edges in each granule
     */
    ShardCut(long vertices, int granuleShift, long[] edgeEnds) {
        long granule = 1L << granuleShift;
        long total = Arrays.stream(edgeEnds).sum() + vertices;
        long wanted = Math.clamp(total / EDGE_ENDS_PER_SHARD, MIN_SHARDS, MAX_SHARDS);
        int shards = (int) Math.max(1, Math.min(wanted, edgeEnds.length));
        long[] cuts = new long[shards + 1];
        long[] sums = new long[shards];
        int shard = 0;
        long before = 0;
        for (int g = 0; g < edgeEnds.length; g++) {
            int granulesLeft = edgeEnds.length - g;
            int shardsLeft = shards - shard;
            boolean full = before >= (shard + 1.0) * total / shards && shardsLeft > 1;
            boolean mustCut = granulesLeft < shardsLeft && cuts[shard] < g * granule;
            if (g > 0 && (full || mustCut) && shard + 1 < shards && cuts[shard] < g * granule) {
                cuts[++shard] = g * granule;
            }
            long size = Math.min(granule, vertices - g * granule) + edgeEnds[g];
            sums[shard] += size;
            before += size;
        }
        int made = shard + 1;
        cuts[made] = vertices;
        this.firsts = Arrays.copyOf(cuts, made + 1);
        this.weights = Arrays.copyOf(sums, made);
    }

    /** Vertices per granule for a graph of this size, as a power of two. */
    static int granuleShift(long vertices) {
        int shift = MIN_GRANULE_SHIFT;
        while (vertices >>> shift > MAX_GRANULES) {
            shift++;
        }
        return shift;
    }

    /** First ordinal of each shard, and behind them the number of vertices. */
    long[] firsts() {
        return firsts.clone();
    }

    /**
     * Node of each shard. Each run of vertices is shared out in consecutive pieces, so that all
     * nodes get about the same weight of vertices with many edges as of those with few, and
     * neighbours in a run mostly stay together.
     *
     * @param runs first ordinals of runs, ascending, beginning with 0
     */
    int[] owners(int[] nodes, long[] runs) {
        int[] owners = new int[weights.length];
        double[] loads = new double[nodes.length];
        double total = 0;
        int run = 0;
        for (int shard = 0; shard < owners.length; ) {
            while (run + 1 < runs.length && runs[run + 1] <= firsts[shard]) {
                run++;
            }
            int end = shard;
            while (end < owners.length && (run + 1 == runs.length || firsts[end] < runs[run + 1])) {
                total += weights[end++];
            }
            for (int node = 0; shard < end; shard++) {
                while (node + 1 < nodes.length
                        && loads[node] + weights[shard] / 2.0 > total / nodes.length) {
                    node++;
                }
                owners[shard] = nodes[node];
                loads[node] += weights[shard];
            }
        }
        return owners;
    }
}
