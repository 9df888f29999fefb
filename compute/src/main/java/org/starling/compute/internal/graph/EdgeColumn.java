package org.starling.compute.internal.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values of edges of own shards, one for each entry of the rows of outgoing edges: a property,
 * whose values lie in a pinned chunk for each shard, or the weights, which lie in the rows. Safe
 * for all threads; valid as long as its graph.
 */
public final class EdgeColumn {
    private final StoredProperty property;
    private final Rows rows;
    private final ShardTable shards;
    private final long[] chunks;
    private final long[] addresses;
    private final @Nullable Column starts;

    /**
     * A property.
     *
     * @param chunks where each own shard's chunk lies; 0 for shards that are not here
     * @param starts index of each row's first edge in its shard
     */
    EdgeColumn(
            StoredProperty property,
            Rows rows,
            ShardTable shards,
            long[] chunks,
            @Nullable Column starts) {
        this.property = property;
        this.rows = rows;
        this.shards = shards;
        this.chunks = chunks;
        this.addresses =
                property.isString()
                        ? Arrays.stream(chunks)
                                .map(chunk -> chunk == 0 ? 0 : StringsLayout.codes(chunk))
                                .toArray()
                        : chunks;
        this.starts = starts;
    }

    /** The weights. */
    static EdgeColumn ofWeights(StoredProperty weight, Rows rows, ShardTable shards) {
        return new EdgeColumn(weight, rows, shards, new long[0], null);
    }

    /** What the values are. */
    public StoredProperty property() {
        return property;
    }

    /** Number of edges of a vertex of an own shard. */
    public int degree(long ordinal) {
        return rows.degree(ordinal);
    }

    /** Where the chunk of strings lies whose codes those of the edges of a vertex are. */
    public long chunk(long ordinal) {
        return chunks[shards.shardOf(ordinal)];
    }

    /** Where the values of the edges of a vertex of an own shard stand, one behind the other. */
    public long rowAddress(long ordinal) {
        if (starts == null) {
            long entry = rows.entry(ordinal);
            AdjacencyLayout layout = rows.layout();
            return layout.weight(AdjacencyLayout.targets(entry), layout.degreeOf(entry), 0);
        }
        long start = Integer.toUnsignedLong((int) starts.get(ordinal));
        return addresses[shards.shardOf(ordinal)] + start * property.type().width();
    }
}
