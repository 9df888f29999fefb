package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.starling.graph.InvalidInputException;

/**
 * Turns the ids of a sparse source into ranks: places among all ids of the graph.
 *
 * <p>Each slave is responsible for a range of ids. It gets the ids of its range from everybody,
 * sorts them, learns the rank of its first one from the master, and answers everybody with ranks.
 * So a rank depends on the ids alone, not on the number of slaves. Ids are unsigned; all that are
 * seen here have been through {@link #ordered}. Confined to the control thread, but for {@link
 * #received} and {@link #ranked}, which are filled by receiving threads, each list by one.
 */
final class IdRanges {
    /** No array is longer. */
    static final int MAX_IDS = Integer.MAX_VALUE - 8;

    /** With so many numbers for each id an array of them takes more than a hash table. */
    private static final int SPARSE = 3;

    private final long[] ownIds;
    private final LongArrayList[] received;
    private final LongArrayList[] ranked;
    private long[] range = {};
    private long firstRank;

    /**
     * Takes the ids that this slave has read.
     *
     * @param ids ascending, each once
     * @param slaves number of slaves
     */
    IdRanges(long[] ids, int slaves) {
        this.ownIds = ids;
        this.received = lists(slaves);
        this.ranked = lists(slaves);
    }

    /**
     * An id as signed comparison puts it in the order of unsigned ids; and back again.
     *
     * @param id an original id, or what this method made of one
     */
    static long ordered(long id) {
        return id ^ Long.MIN_VALUE;
    }

    /** A few ids, evenly spread. */
    long[] sample(int most) {
        int count = Math.min(most, ownIds.length);
        long[] sample = new long[count];
        for (int i = 0; i < count; i++) {
            sample[i] = ownIds[(int) ((long) i * ownIds.length / count)];
        }
        return sample;
    }

    /** Position in the own ids where a slave's range begins. */
    int sliceStart(int slave, long[] splitters) {
        if (slave == 0) {
            return 0;
        }
        if (slave > splitters.length) {
            return ownIds.length;
        }
        int at = Arrays.binarySearch(ownIds, splitters[slave - 1]);
        return at >= 0 ? at : -at - 1;
    }

    /** Own ids from a position (inclusive) to another (exclusive). */
    long[] slice(int from, int to) {
        return Arrays.copyOfRange(ownIds, from, to);
    }

    /** Ids of the own range that a slave sent. */
    LongArrayList received(int slave) {
        return received[slave];
    }

    /** Ranks of own ids that a slave answered, in the order of ids. */
    LongArrayList ranked(int slave) {
        return ranked[slave];
    }

    /** Sorts what was received; the number of different ids in the range. */
    int sortRange() {
        long sum = Arrays.stream(received).mapToLong(LongArrayList::size).sum();
        if (sum > MAX_IDS) {
            throw new InvalidInputException(
                    "a peer would have to sort %d ids, but at most %d fit; use more peers, or number the vertices densely"
                            .formatted(sum, MAX_IDS));
        }
        long[] all = new long[(int) sum];
        int at = 0;
        for (LongArrayList list : received) {
            list.getElements(0, all, at, list.size());
            at += list.size();
        }
        range = IdSet.unique(all);
        return range.length;
    }

    /** Sets the rank of the range's first id. */
    void setFirstRank(long rank) {
        firstRank = rank;
    }

    /** Ranks of the ids that a slave sent, in the same order. */
    long[] ranksFor(int slave) {
        LongArrayList ids = received[slave];
        long[] ranks = new long[ids.size()];
        for (int i = 0; i < ranks.length; i++) {
            ranks[i] = firstRank + Arrays.binarySearch(range, ids.getLong(i));
        }
        return ranks;
    }

    /** Map from own ids to ranks, once everybody has answered. */
    Long2LongOpenHashMap ranks() {
        Long2LongOpenHashMap map = new Long2LongOpenHashMap(ownIds.length);
        int at = 0;
        for (LongArrayList list : ranked) {
            for (int i = 0; i < list.size(); i++) {
                map.put(ownIds[at++], list.getLong(i));
            }
        }
        if (at != ownIds.length) {
            throw new IllegalStateException(at + " ranks for " + ownIds.length + " ids");
        }
        return map;
    }

    /** As {@link #ranks}, for many questions: of small ids without a hash table. */
    LongUnaryOperator rankOf() {
        int count = ownIds.length;
        long last = count == 0 ? 0 : ordered(ownIds[count - 1]);
        if (last < 0 || last >= Math.min(MAX_IDS, (long) SPARSE * count)) {
            return ranks()::get;
        }
        long[] rankOfId = new long[(int) last + 1];
        int at = 0;
        for (LongArrayList list : ranked) {
            for (int i = 0; i < list.size(); i++) {
                rankOfId[(int) ordered(ownIds[at++])] = list.getLong(i);
            }
        }
        if (at != count) {
            throw new IllegalStateException(at + " ranks for " + count + " ids");
        }
        return id -> rankOfId[(int) ordered(id)];
    }

    /** Ids of the own range. */
    long[] range() {
        return range;
    }

    /** Rank of the range's first id. */
    long firstRank() {
        return firstRank;
    }

    private static LongArrayList[] lists(int count) {
        LongArrayList[] lists = new LongArrayList[count];
        Arrays.setAll(lists, _ -> new LongArrayList());
        return lists;
    }
}
