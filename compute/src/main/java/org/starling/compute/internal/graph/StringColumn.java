package org.starling.compute.internal.graph;

import org.starling.net.NativeMemory;

/**
 * Strings of vertices of own shards: a property, read where it lies in a pinned chunk for each
 * shard ({@link StringsLayout}). Safe for all threads; valid as long as its graph.
 */
public final class StringColumn {
    private final ShardTable shards;
    private final long[] chunks;
    private final long[] codes;

    /**
     * Looks at chunks.
     *
     * @param chunks where each own shard's chunk lies; 0 for shards that are not here
     */
    StringColumn(ShardTable shards, long[] chunks) {
        this.shards = shards;
        this.chunks = chunks;
        this.codes = new long[chunks.length];
        for (int shard = 0; shard < chunks.length; shard++) {
            codes[shard] = chunks[shard] == 0 ? 0 : StringsLayout.codes(chunks[shard]);
        }
    }

    /** Where the chunk lies in which the vertex' string is. */
    public long chunk(long ordinal) {
        int shard = shards.shardOf(ordinal);
        if (chunks[shard] == 0) {
            throw new IllegalArgumentException("shard " + shard + " is not here");
        }
        return chunks[shard];
    }

    /** Where the vertex' code stands. */
    public long codeAddress(long ordinal) {
        int shard = shards.shardOf(ordinal);
        if (chunks[shard] == 0) {
            throw new IllegalArgumentException("shard " + shard + " is not here");
        }
        return codes[shard] + (ordinal - shards.first(shard)) * Integer.BYTES;
    }

    /** The vertex' string. */
    public String get(long ordinal) {
        return StringsLayout.string(chunk(ordinal), NativeMemory.getInt(codeAddress(ordinal)));
    }

    /** The vertex' string in UTF-8. */
    public byte[] utf8(long ordinal) {
        return StringsLayout.utf8(chunk(ordinal), NativeMemory.getInt(codeAddress(ordinal)));
    }
}
