package org.starling.compute.internal.topology;

import java.util.Arrays;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.Search;
import org.starling.compute.internal.graph.ShardTable;

/**
 * Ordinals without those that lead to nobody, in the same order: from old ones to new ones and
 * back. Takes 2 bits for each ordinal. Immutable, safe for all threads.
 */
public final class Ranks implements AutoCloseable {
    private static final int WORD = 1 << Bitmap.WORD_SHIFT;

    private final Bitmap gone;
    private final long ordinals;
    private final Column before;
    private final long count;

    /**
     * Counts.
     *
     * @param gone those that lead to nobody; stays the caller's
     * @param ordinals number of all
     */
    public Ranks(Bitmap gone, long ordinals) {
        this.gone = gone;
        this.ordinals = ordinals;
        this.before = new Column("ranks", ColumnType.LONG, Bitmap.words(ordinals));
        long sum = 0;
        for (long word = 0; word < Bitmap.words(ordinals); word++) {
            before.set(word, sum);
            sum += Long.bitCount(there(word));
        }
        this.count = sum;
    }

    /** Number of new ordinals. */
    public long count() {
        return count;
    }

    /** How many below this old ordinal stay: the new ordinal, if it is one of them. */
    public long rank(long ordinal) {
        if (ordinal >= ordinals) {
            return count;
        }
        long word = ordinal >>> Bitmap.WORD_SHIFT;
        return before.get(word) + Long.bitCount(there(word) & Bitmap.maskBelow(word, ordinal));
    }

    /** The new ordinal, or -1 if there is none. */
    public long newOrdinal(long ordinal) {
        return ordinal < 0 || ordinal >= ordinals || gone.get(ordinal) ? -1 : rank(ordinal);
    }

    /** The old ordinals of new ones, from {@code first} (inclusive) to {@code end} (exclusive). */
    long[] olds(long first, long end) {
        long[] olds = new long[Math.toIntExact(end - first)];
        long word = first < end ? wordOf(first) : 0;
        int skip = first < end ? (int) (first - before.get(word)) : 0;
        for (int at = 0; at < olds.length; word++, skip = 0) {
            for (long bits = there(word); bits != 0 && at < olds.length; bits &= bits - 1) {
                if (skip > 0) {
                    skip--;
                } else {
                    olds[at++] = (word << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
                }
            }
        }
        return olds;
    }

    /** First new ordinal of each shard, and behind them their number: whole words, as before. */
    public long[] firsts(ShardTable old) {
        long[] firsts = new long[old.count() + 1];
        Arrays.setAll(
                firsts,
                shard ->
                        shard == old.count()
                                ? count
                                : Math.min(
                                        count, Math.ceilDiv(rank(old.first(shard)), WORD) * WORD));
        return firsts;
    }

    /** First new ordinals of runs; those of which nothing is left go. */
    public long[] runs(long[] old) {
        long[] runs = Arrays.stream(old).map(this::rank).distinct().toArray();
        int kept = runs.length;
        while (kept > 1 && runs[kept - 1] >= count) {
            kept--;
        }
        return Arrays.copyOf(runs, kept);
    }

    @Override
    public void close() {
        before.close();
    }

    private long there(long word) {
        return ~gone.word(word) & Bitmap.maskBelow(word, ordinals);
    }

    /** The word in which a new ordinal's old one is. */
    private long wordOf(long rank) {
        return Search.first(0, Bitmap.words(ordinals), word -> before.get(word) > rank) - 1;
    }
}
