package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.PAGE_SHIFT;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which chunks are pinned: a count per page of the chunk table for the fast answer "none in this
 * page", and the list of pinned ranges for the exact one. Whoever pins raises the counts first and
 * looks at the entries afterwards; whoever moves or removes a chunk enters it as the writer first
 * and looks here afterwards; so one of the two sees the other. Any thread. Costs a list element per
 * pinned range and a step per page, nothing per chunk.
 */
final class Pins {
    /** The most ranges that can be pinned at once. */
    static final int MAX_RANGES = 1 << 16;

    private record Range(long first, long last) {}

    /** Guarded by itself. */
    private final List<Range> ranges = new ArrayList<>();

    /**
     * By page: how many pinned ranges reach into it. Replaced by longer ones, guarded by {@link
     * #ranges}.
     */
    private volatile AtomicIntegerArray counts = new AtomicIntegerArray(0);

    /**
     * Pins a range.
     *
     * @param first local id
     * @param count chunks
     */
    void add(long first, int count) {
        synchronized (ranges) {
            if (ranges.size() == MAX_RANGES) {
                throw new IllegalStateException(
                        "more than " + MAX_RANGES + " pinned ranges; close some");
            }
            ranges.add(new Range(first, first + count - 1));
            addToPages(first, count, 1);
        }
    }

    /** Unpins a range. */
    void remove(long first, int count) {
        synchronized (ranges) {
            if (!ranges.remove(new Range(first, first + count - 1))) {
                throw new IllegalStateException("range is not pinned");
            }
            addToPages(first, count, -1);
        }
    }

    /** Whether a chunk is pinned. The caller is inside the chunk as its writer. */
    boolean isPinned(long local) {
        int page = (int) (local >>> PAGE_SHIFT);
        AtomicIntegerArray current = counts;
        if (page >= current.length() || current.get(page) == 0) {
            return false;
        }
        synchronized (ranges) {
            for (Range range : ranges) {
                if (local >= range.first && local <= range.last) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The first chunk of a range that is pinned; −1 if none is. */
    long firstPinned(long first, int count) {
        long last = first + count - 1;
        AtomicIntegerArray current = counts;
        long page = first >>> PAGE_SHIFT;
        long end = Math.min(current.length(), (last >>> PAGE_SHIFT) + 1);
        while (page < end && current.get((int) page) == 0) {
            page++;
        }
        if (page >= end) {
            return -1;
        }
        synchronized (ranges) {
            return ranges.stream()
                    .filter(range -> range.first <= last && range.last >= first)
                    .mapToLong(range -> Math.max(first, range.first))
                    .min()
                    .orElse(-1);
        }
    }

    /** How many ranges are pinned. */
    int size() {
        synchronized (ranges) {
            return ranges.size();
        }
    }

    private void addToPages(long first, int count, int delta) {
        int from = (int) (first >>> PAGE_SHIFT);
        int to = (int) ((first + count - 1) >>> PAGE_SHIFT);
        AtomicIntegerArray current = counts;
        if (to >= current.length()) {
            AtomicIntegerArray longer =
                    new AtomicIntegerArray(Math.max(to + 1, 2 * current.length()));
            for (int i = 0; i < current.length(); i++) {
                longer.set(i, current.get(i));
            }
            counts = longer;
            current = longer;
        }
        for (int page = from; page <= to; page++) {
            current.addAndGet(page, delta);
        }
    }
}
