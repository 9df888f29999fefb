package org.starling.store.internal.directory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Chunk id ranges and the node of each: sorted, disjoint, neighbours of the same node joined. The
 * one interval structure of the store: the directory keeps owners in it, and peers what they have
 * learned about owners. Not thread-safe; guarded by whoever owns it. Lookup and change cost O(log
 * ranges), plus the ranges that a change covers.
 */
public final class RangeMap {
    /** The answer when no range holds the id. */
    public static final int NONE = -1;

    /**
     * One range.
     *
     * @param first the first chunk id
     * @param last the last chunk id, not less than the first
     * @param node the node of it
     */
    public record Range(long first, long last, int node) {
        /** Checks the order. */
        public Range {
            if (first > last) {
                throw new IllegalArgumentException("range ends before it starts");
            }
        }
    }

    /** By first id. */
    private final TreeMap<Long, Range> ranges = new TreeMap<>();

    /**
     * The node of an id.
     *
     * @param id chunk id
     * @return node id, or {@link #NONE}
     */
    public int nodeOf(long id) {
        Map.Entry<Long, Range> below = ranges.floorEntry(id);
        return below == null || below.getValue().last < id ? NONE : below.getValue().node;
    }

    /**
     * The greatest range around an id, within bounds, in which all ids have the node of this one.
     *
     * @param id chunk id
     * @param lowest the first id to be considered
     * @param highest the last id to be considered
     * @param otherwise the node of ids in no range
     * @return the range
     */
    public Range around(long id, long lowest, long highest, int otherwise) {
        Map.Entry<Long, Range> below = ranges.floorEntry(id);
        if (below != null && below.getValue().last >= id) {
            Range range = below.getValue();
            return new Range(
                    Math.max(lowest, range.first), Math.min(highest, range.last), range.node);
        }
        Map.Entry<Long, Range> above = ranges.ceilingEntry(id);
        long first = below == null ? lowest : Math.max(lowest, below.getValue().last + 1);
        long last = above == null ? highest : Math.min(highest, above.getKey() - 1);
        return new Range(first, last, otherwise);
    }

    /**
     * Gives a range to a node, whoever had parts of it before.
     *
     * @param range the range and its node
     */
    public void put(Range range) {
        remove(range.first, range.last);
        long first = range.first;
        long last = range.last;
        Range before = first == Long.MIN_VALUE ? null : holding(first - 1);
        if (before != null && before.node == range.node) {
            ranges.remove(before.first);
            first = before.first;
        }
        Range after = last == Long.MAX_VALUE ? null : ranges.get(last + 1);
        if (after != null && after.node == range.node) {
            ranges.remove(after.first);
            last = after.last;
        }
        ranges.put(first, new Range(first, last, range.node));
    }

    /**
     * Takes ids out of all ranges.
     *
     * @param first the first
     * @param last the last
     */
    public void remove(long first, long last) {
        Range cut = holding(first);
        if (cut != null && cut.first < first) {
            ranges.put(cut.first, new Range(cut.first, first - 1, cut.node));
            ranges.put(first, new Range(first, cut.last, cut.node));
        }
        cut = holding(last);
        if (cut != null && cut.last > last) {
            ranges.put(cut.first, new Range(cut.first, last, cut.node));
            ranges.put(last + 1, new Range(last + 1, cut.last, cut.node));
        }
        ranges.subMap(first, true, last, true).clear();
    }

    /** Takes all ranges out. */
    public void clear() {
        ranges.clear();
    }

    /**
     * How many ranges.
     *
     * @return ranges
     */
    public int size() {
        return ranges.size();
    }

    /**
     * All ranges.
     *
     * @return a copy, by ascending first id
     */
    public List<Range> ranges() {
        return new ArrayList<>(ranges.values());
    }

    private @Nullable Range holding(long id) {
        Map.Entry<Long, Range> below = ranges.floorEntry(id);
        return below == null || below.getValue().last < id ? null : below.getValue();
    }
}
