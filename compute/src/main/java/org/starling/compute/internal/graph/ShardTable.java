package org.starling.compute.internal.graph;

import java.util.Arrays;

/**
 * Where each ordinal belongs: which shard, and which node owns the shard. Immutable.
 *
 * <p>Looking an ordinal up takes one table access and mostly no step beyond; the table has at most
 * {@value #MAX_TABLE} entries.
 */
public final class ShardTable {
    private static final int MAX_TABLE = 1 << 16;

    private final long[] firsts;
    private final int[] owners;
    private final int shift;
    private final int[] shardAt;

    /**
     * Makes the table.
     *
     * @param firsts first ordinal of each shard, ascending, and behind them the number of vertices
     * @param owners node of each shard
     */
    public ShardTable(long[] firsts, int[] owners) {
        if (firsts.length != owners.length + 1) {
            throw new IllegalArgumentException(
                    firsts.length + " bounds for " + owners.length + " shards");
        }
        this.firsts = firsts.clone();
        this.owners = owners.clone();
        long vertices = firsts[owners.length];
        int width = 0;
        while ((vertices >>> width) >= MAX_TABLE) {
            width++;
        }
        this.shift = width;
        this.shardAt = new int[(int) (vertices >>> width) + 1];
        int shard = 0;
        for (int i = 0; i < shardAt.length; i++) {
            while (shard + 1 < owners.length && firsts[shard + 1] <= (long) i << width) {
                shard++;
            }
            shardAt[i] = shard;
        }
    }

    /** Number of shards. */
    public int count() {
        return owners.length;
    }

    /** Number of vertices. */
    public long vertices() {
        return firsts[owners.length];
    }

    /** First ordinal of a shard. */
    public long first(int shard) {
        return firsts[shard];
    }

    /** Ordinal behind a shard's last. */
    public long end(int shard) {
        return firsts[shard + 1];
    }

    /**
     * First word of a shard in a set of bits. Shards begin with a word, but for empty ones behind
     * the last vertex: these have no words at all.
     */
    public long firstWord(int shard) {
        return Bitmap.words(first(shard));
    }

    /** Word behind a shard's last. */
    public long endWord(int shard) {
        return Bitmap.words(end(shard));
    }

    /** Number of vertices of a shard; a shard fits into an {@code int}. */
    public int size(int shard) {
        return Math.toIntExact(end(shard) - first(shard));
    }

    /** Node that owns a shard. */
    public int owner(int shard) {
        return owners[shard];
    }

    /** Shard of an ordinal below {@link #vertices()}. */
    public int shardOf(long ordinal) {
        int shard = shardAt[(int) (ordinal >>> shift)];
        while (firsts[shard + 1] <= ordinal) {
            shard++;
        }
        return shard;
    }

    /** Node that owns an ordinal. */
    public int ownerOf(long ordinal) {
        return owners[shardOf(ordinal)];
    }

    /** Shards of a node, ascending. */
    public int[] shardsOf(int node) {
        int[] mine = new int[owners.length];
        int count = 0;
        for (int shard = 0; shard < owners.length; shard++) {
            if (owners[shard] == node) {
                mine[count++] = shard;
            }
        }
        return Arrays.copyOf(mine, count);
    }

    /** True if one node owns all shards. */
    public boolean isOwnedBy(int node) {
        return Arrays.stream(owners).allMatch(owner -> owner == node);
    }
}
