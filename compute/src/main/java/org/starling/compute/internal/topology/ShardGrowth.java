package org.starling.compute.internal.topology;

import java.util.Arrays;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.run.Slaves;

/**
 * Shards of a graph with vertices behind its last one: the last shard is filled up to a whole word
 * of bits, and others follow, about as large as those that there are. Where they are cut depends on
 * the graph alone.
 */
public final class ShardGrowth {
    private static final int WORD = 1 << Bitmap.WORD_SHIFT;

    private ShardGrowth() {}

    /**
     * The table of shards.
     *
     * @param old the shards that there are
     * @param firstAdded ordinal of the first vertex that comes
     * @param ordinals number of all
     * @param slaves who gets the new ones, in turn
     */
    public static ShardTable table(ShardTable old, long firstAdded, long ordinals, Slaves slaves) {
        long before = old.vertices();
        int count = old.count();
        long size =
                Math.ceilDiv(Math.max(1, Math.ceilDiv(before, Math.max(1, count))), WORD) * WORD;
        int more = Math.toIntExact(Math.ceilDiv(ordinals - firstAdded, size));
        long[] firsts = new long[count + more + 1];
        int[] owners = new int[count + more];
        for (int shard = 0; shard < count; shard++) {
            firsts[shard] = old.first(shard);
            owners[shard] = old.owner(shard);
        }
        firsts[count] = more == 0 ? before : firstAdded;
        for (int i = 0; i < more; i++) {
            firsts[count + i] = firstAdded + i * size;
            owners[count + i] = slaves.node(i % slaves.count());
        }
        firsts[count + more] = ordinals;
        return new ShardTable(firsts, owners);
    }

    /** First ordinal of each shard, and behind them the number of ordinals. */
    public static long[] firsts(ShardTable table) {
        long[] firsts = new long[table.count() + 1];
        Arrays.setAll(
                firsts, shard -> shard == table.count() ? table.vertices() : table.first(shard));
        return firsts;
    }

    /** Owner of each shard. */
    public static int[] owners(ShardTable table) {
        int[] owners = new int[table.count()];
        Arrays.setAll(owners, table::owner);
        return owners;
    }
}
