package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;

/**
 * The different ids that one thread has read, as {@link IdRanges#ordered} has them. Most files
 * number vertices from 0 or 1 on: small ids are bits, one place in memory for 64 of them, and what
 * is large beside the number of ids is in a hash table. Confined to that thread.
 */
final class IdSet {
    /** So many bits are there in any case, 128 KiB. */
    private static final long LEAST_BITS = 1L << 20;

    /** No more bits than this for each id: as much as a hash table takes. */
    private static final long BITS_PER_ID = 64;

    /** An array of longs has no more bits. */
    private static final long MOST_BITS = 1L << 36;

    private long[] words = new long[0];

    /** Bits that are set. */
    private long small;

    private final LongOpenHashSet large = new LongOpenHashSet();

    /** Adds an id. */
    void add(long ordered) {
        long id = ordered ^ Long.MIN_VALUE;
        if (id < 0 || id >= (long) words.length << 6) {
            addBeyond(id);
            return;
        }
        set(id);
    }

    private void set(long id) {
        int word = (int) (id >>> 6);
        long before = words[word];
        long after = before | 1L << id;
        if (before != after) {
            words[word] = after;
            small++;
        }
    }

    private void addBeyond(long id) {
        long most = Math.min(MOST_BITS, Math.max(LEAST_BITS, BITS_PER_ID * (small + large.size())));
        if (id < 0 || id >= most) {
            large.add(id);
            return;
        }
        long bits = Math.min(most, Math.max(LEAST_BITS, 2 * id));
        words = Arrays.copyOf(words, (int) ((bits + 63) >>> 6));
        set(id);
    }

    /**
     * All ids of some sets.
     *
     * @return ascending as ordered, each once
     */
    static long[] union(IdSet[] sets) {
        long most = 0;
        for (IdSet set : sets) {
            most += set.small + set.large.size();
        }
        if (most > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException(most + " ids in one slave");
        }
        long[] all = new long[(int) most];
        int count = smallOf(sets, all);
        for (IdSet set : sets) {
            for (long id : set.large) {
                all[count++] = id ^ Long.MIN_VALUE;
            }
        }
        return unique(all, count);
    }

    private static int smallOf(IdSet[] sets, long[] into) {
        int words = 0;
        for (IdSet set : sets) {
            words = Math.max(words, set.words.length);
        }
        int count = 0;
        for (int i = 0; i < words; i++) {
            long word = 0;
            for (IdSet set : sets) {
                word |= i < set.words.length ? set.words[i] : 0;
            }
            while (word != 0) {
                long id = ((long) i << 6) + Long.numberOfTrailingZeros(word);
                into[count++] = id ^ Long.MIN_VALUE;
                word &= word - 1;
            }
        }
        return count;
    }

    /** An id may be a bit here and in a table there. */
    private static long[] unique(long[] ids, int count) {
        Arrays.parallelSort(ids, 0, count);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (kept == 0 || ids[i] != ids[kept - 1]) {
                ids[kept++] = ids[i];
            }
        }
        return kept == ids.length ? ids : Arrays.copyOf(ids, kept);
    }
}
