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

    private final Slabs slabs;
    private final ShardTable shards;
    private final EdgeRecords layout;
    private final @Nullable Records[][] buckets;

    ShardBuckets(Slabs slabs, ShardTable shards, EdgeRecords layout) {
        this.slabs = slabs;
        this.shards = shards;
        this.layout = layout;
        this.buckets = new Records[2][shards.count()];
    }

    /** Adds an edge to the row of {@code ordinal}, a vertex of {@code shard}. */
    void add(int direction, int shard, long ordinal, long other, float weight) {
        Records bucket = buckets[direction][shard];
        if (bucket == null) {
            bucket = new Records(slabs, layout.bytes());
            buckets[direction][shard] = bucket;
        }
        layout.write(bucket.add(), ordinal - shards.first(shard), other, weight);
    }

    /** Edges of a shard; null if there are none. */
    @Nullable Records bucket(int direction, int shard) {
        return buckets[direction][shard];
    }
}
