package org.starling.compute.internal.build;

import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.ShardTable;

/**
 * Edges sorted by shard and direction: index in the shard, other end, weight. Confined to the
 * thread that adds.
 */
final class ShardBuckets {
    /** Direction of rows of outgoing (or undirected) edges. */
    static final int OUT = 0;

    /** Direction of rows of incoming edges. */
    static final int IN = 1;

    /** Instead of a direction: values of vertices' properties, records with a useless other end. */
    static final int VERTEX = 2;

    private static final int KINDS = 3;

    private final Slabs slabs;
    private final ShardTable shards;
    private final EdgeRecords[] layouts;
    private final @Nullable Records[][] buckets;

    /**
     * Starts with no edges.
     *
     * @param layouts of edges in each direction, and of vertices' values
     */
    ShardBuckets(Slabs slabs, ShardTable shards, EdgeRecords[] layouts) {
        this.slabs = slabs;
        this.shards = shards;
        this.layouts = layouts;
        this.buckets = new Records[KINDS][shards.count()];
    }

    /**
     * Adds an edge to the row of {@code ordinal}, a vertex of {@code shard}.
     *
     * @param values where values of its properties stand; not looked at if the layout has none
     */
    void add(int direction, int shard, long ordinal, long other, float weight, long values) {
        EdgeRecords layout = layouts[direction];
        Records bucket = buckets[direction][shard];
        if (bucket == null) {
            bucket = new Records(slabs, layout.bytes());
            buckets[direction][shard] = bucket;
        }
        long at = bucket.add();
        layout.write(at, ordinal - shards.first(shard), other, weight);
        layout.copyValues(at, values);
    }

    /** Edges of a shard; null if there are none. */
    @Nullable Records bucket(int direction, int shard) {
        return buckets[direction][shard];
    }
}
