package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import org.starling.graph.InvalidInputException;

/**
 * The different ids that one thread has read, as {@link IdRanges#ordered} has them. Most files
 * number vertices from 0 or 1 on: small ids are bits, one place in memory for 64 of them, and what
 * is large beside the number of ids is in a hash table. Confined to that thread.
 */
final class IdSet {
    /** So many bits are there in any case, 128 KiB. */
    private static final long LEAST_BITS = 1L << 20;

    /** No more bits than this for each id: as much as a hash table takes. */
    private static final long BITS_PER_ID = 128;

    /** An array of longs has no more bits. */
    private static final long MOST_BITS = 1L << 36;

    private long[] words = new long[0];

    /** Bits that are set. */
    private long small;

    private final LongOpenHashSet large = new LongOpenHashSet();

    /** Adds an id. */
    void add(long ordered) {
        long id = IdRanges.ordered(ordered);
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

    /** Bits at least double when they become more, so that all copies take as long as one. */
    private void addBeyond(long id) {
        long bits = id < LEAST_BITS ? LEAST_BITS : Math.min(MOST_BITS, 2 * id);
        long most = Math.max(LEAST_BITS, BITS_PER_ID * (small + large.size()));
        if (id < 0 || id >= MOST_BITS || bits > most) {
            large.add(id);
            return;
        }
        words = Arrays.copyOf(words, (int) ((bits + 63) >>> 6));
        set(id);
    }

    /**
     * All ids of some sets.
     *
     * @return ascending as ordered, each once
     */
    static long[] union(IdSet[] sets) {
        int words = 0;
        long most = 0;
        for (IdSet set : sets) {
            words = Math.max(words, set.words.length);
            most += set.large.size();
        }
        for (int i = 0; i < words; i++) {
            most += Long.bitCount(word(sets, i));
        }
        if (most > IdRanges.MAX_IDS) {
            throw new InvalidInputException(
                    "a peer has read %d ids, but at most %d fit; use more peers, or number the vertices densely"
                            .formatted(most, IdRanges.MAX_IDS));
        }
        long[] all = new long[(int) most];
        int count = 0;
        for (int i = 0; i < words; i++) {
            for (long word = word(sets, i); word != 0; word &= word - 1) {
                long id = ((long) i << 6) + Long.numberOfTrailingZeros(word);
                all[count++] = IdRanges.ordered(id);
            }
        }
        for (IdSet set : sets) {
            for (long id : set.large) {
                all[count++] = IdRanges.ordered(id);
            }
        }
        return unique(all); // an id may be a bit here and in a table there
    }

    /** Bits that are set in any of some sets. */
    private static long word(IdSet[] sets, int at) {
        long word = 0;
        for (IdSet set : sets) {
            word |= at < set.words.length ? set.words[at] : 0;
        }
        return word;
    }

    /** Sorts ids, each of which may be there more than once; gives the array away. */
    static long[] unique(long[] ids) {
        Arrays.parallelSort(ids);
        int kept = 0;
        for (int i = 0; i < ids.length; i++) {
            if (kept == 0 || ids[i] != ids[kept - 1]) {
                ids[kept++] = ids[i];
            }
        }
        return kept == ids.length ? ids : Arrays.copyOf(ids, kept);
    }
}
