package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.ENTRY_BYTES;
import static org.starling.store.ChunkEntryLayout.PAGE_ENTRIES;
import static org.starling.store.ChunkEntryLayout.PAGE_SHIFT;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.starling.net.NativeMemory;

/**
 * Hands out local ids, single and in runs, and takes them back. An id is free exactly when its
 * entry is 0; so free ids need no memory of their own. Fresh ids come from a counter. Once a page
 * of the table has {@link #MIN_FREE} free ids it is searched for runs of them, and those are used
 * up first; a page without any chunk is also given back to the operating system. Nothing is given
 * out of pages with ids that are withheld. Owned by {@link IdSpace} and guarded by the allocation
 * lock of {@link ChunkSpace}. Costs 4 bytes per page, and one look at each entry of a page for at
 * least {@link #MIN_FREE} ids.
 */
final class IdAllocator {
    /** A page with fewer free ids is left alone: 1/32 of a page. */
    static final int MIN_FREE = PAGE_ENTRIES / 32;

    /** Ranges of at least this many ids look for pages without any chunk. */
    private static final int WHOLE_PAGES_FROM = PAGE_ENTRIES / 2;

    /** Pages that are searched for one range before fresh ids are taken. */
    private static final int MAX_SEARCHED_PAGES = 4;

    /** Runs of the current page that are looked at for one range. */
    private static final int MAX_SEARCHED_RUNS = 64;

    private final ChunkTable table;
    private final long limit;

    /** By page: ids below {@link #next} that are free. */
    private int[] freeIds = new int[0];

    /** How many times ids of a page are withheld. */
    private final Map<Integer, Integer> withheld = new HashMap<>();

    /** Pages with at least {@link #MIN_FREE} free ids. */
    private final BitSet searchable = new BitSet();

    /** Pages below {@link #next} without any chunk, but for those that are withheld. */
    private final BitSet empty = new BitSet();

    /** Ids from here on were never handed out. */
    private long next;

    /**
     * Runs of free ids in one searched page, as a stack of (first, count); an id in here is still
     * counted as free.
     */
    private long[] runFirst = new long[16];

    private int[] runCount = new int[16];
    private int runs;
    private int searchedPage = -1;

    /**
     * All ids are fresh.
     *
     * @param table their entries
     * @param limit ids are below this
     */
    IdAllocator(ChunkTable table, long limit) {
        this.table = table;
        this.limit = limit;
    }

    /**
     * Takes consecutive ids and marks their entries as reserved.
     *
     * @return the first, or −1 if there are not so many left below the limit
     */
    long take(int count) {
        long first = count >= WHOLE_PAGES_FROM ? takeEmptyPages(count) : takeFromRuns(count);
        for (int i = 0; first < 0 && i < MAX_SEARCHED_PAGES && search(count); i++) {
            first = takeFromRuns(count);
        }
        if (first < 0) {
            first = takeFresh(count);
        }
        if (first < 0) {
            return -1;
        }
        for (long id = first; id < first + count; id++) {
            NativeMemory.putLong(table.entry(id), EntryLock.RESERVED);
        }
        return first;
    }

    /** Takes back ids whose entries are 0. */
    void free(long first, int count) {
        addFree(first, count);
        eachPage(first, count, this::discardIfEmpty);
    }

    private void discardIfEmpty(int page) {
        if (empty.get(page)) {
            table.discard(page);
        }
    }

    private static void eachPage(long first, int count, IntConsumer action) {
        int last = (int) ((first + count - 1) >>> PAGE_SHIFT);
        for (int page = (int) (first >>> PAGE_SHIFT); page <= last; page++) {
            action.accept(page);
        }
    }

    /** Gives none of these ids out, once they are free, before {@link #release}. */
    void withhold(long first, int count) {
        eachPage(
                first,
                count,
                page -> {
                    withheld.merge(page, 1, Integer::sum);
                    if (page < freeIds.length) {
                        setFree(page, freeIds[page]);
                    }
                });
    }

    /** Ends {@link #withhold}. */
    void release(long first, int count) {
        eachPage(
                first,
                count,
                page -> {
                    withheld.computeIfPresent(page, (_, times) -> times == 1 ? null : times - 1);
                    if (page < freeIds.length) {
                        setFree(page, freeIds[page]);
                        discardIfEmpty(page);
                    }
                });
    }

    /**
     * Takes certain ids, for chunks that existed elsewhere; those passed over become free. Only as
     * long as {@link #take} has not been called.
     *
     * @param first the first, which is free, as are the others
     * @param count how many
     */
    void takeAt(long first, int count) {
        long end = first + count;
        if (end > next) {
            growTo(end);
            addFree(next, end - next);
            next = end;
        }
        addFree(first, -(long) count);
    }

    /** Entries that take memory: those ever handed out, without empty pages. */
    long entries() {
        return next - (long) empty.cardinality() * PAGE_ENTRIES;
    }

    /** Whether no id of a page below the {@link #bound} is in use. */
    boolean isEmpty(int page) {
        return empty.get(page);
    }

    /** Ids ever handed out are below this. */
    long bound() {
        return next;
    }

    private long takeFresh(int count) {
        if (next + count > limit) {
            return -1;
        }
        growTo(next + count);
        long first = next;
        next += count;
        return first;
    }

    private void growTo(long count) {
        table.growTo(count);
        if (freeIds.length < table.pageCount()) {
            freeIds = Arrays.copyOf(freeIds, table.pageCount());
        }
    }

    private long takeEmptyPages(int count) {
        int pages = (count + PAGE_ENTRIES - 1) >>> PAGE_SHIFT;
        int start = empty.nextSetBit(0);
        while (start >= 0) {
            int end = empty.nextClearBit(start);
            if (end - start >= pages) {
                if (searchedPage >= start && searchedPage < start + pages) {
                    runs = 0;
                }
                long first = (long) start << PAGE_SHIFT;
                addFree(first, -(long) count);
                return first;
            }
            start = empty.nextSetBit(end);
        }
        return -1;
    }

    private long takeFromRuns(int count) {
        int lowest = Math.max(0, runs - MAX_SEARCHED_RUNS);
        for (int i = runs - 1; i >= lowest; i--) {
            if (runCount[i] >= count) {
                long first = runFirst[i];
                runFirst[i] += count;
                runCount[i] -= count;
                if (runCount[i] == 0) {
                    runs--;
                    runFirst[i] = runFirst[runs];
                    runCount[i] = runCount[runs];
                }
                addFree(first, -(long) count);
                return first;
            }
        }
        return -1;
    }

    /**
     * Collects the runs of free ids of the next page that has enough of them; true if there is such
     * a page.
     */
    private boolean search(int count) {
        int page = nextSearchable(searchedPage + 1, count);
        if (page < 0) {
            page = nextSearchable(0, count);
        }
        if (page < 0) {
            return false;
        }
        searchedPage = page;
        runs = 0;
        long from = (long) page << PAGE_SHIFT;
        int entries = (int) Math.min(PAGE_ENTRIES, next - from);
        long base = table.page(page);
        int start = -1;
        for (int i = 0; i <= entries; i++) {
            boolean isFree =
                    i < entries && NativeMemory.getLong(base + (long) i * ENTRY_BYTES) == 0;
            if (isFree && start < 0) {
                start = i;
            } else if (!isFree && start >= 0) {
                pushRun(from + start, i - start);
                start = -1;
            }
        }
        return true;
    }

    private int nextSearchable(int from, int count) {
        int page = searchable.nextSetBit(from);
        while (page >= 0 && freeIds[page] < count) {
            page = searchable.nextSetBit(page + 1);
        }
        return page;
    }

    private void pushRun(long first, int count) {
        if (runs == runFirst.length) {
            runFirst = Arrays.copyOf(runFirst, 2 * runs);
            runCount = Arrays.copyOf(runCount, 2 * runs);
        }
        runFirst[runs] = first;
        runCount[runs++] = count;
    }

    /** Counts ids of a run as free, or as taken if the count is negative. */
    private void addFree(long first, long count) {
        long id = first;
        long left = Math.abs(count);
        int sign = Long.signum(count);
        while (left > 0) {
            int page = (int) (id >>> PAGE_SHIFT);
            int here = (int) Math.min(left, PAGE_ENTRIES - (id & (PAGE_ENTRIES - 1)));
            setFree(page, freeIds[page] + sign * here);
            id += here;
            left -= here;
        }
    }

    private void setFree(int page, int count) {
        freeIds[page] = count;
        boolean isGiven = !withheld.containsKey(page);
        searchable.set(page, isGiven && count >= MIN_FREE);
        empty.set(page, isGiven && count == PAGE_ENTRIES);
    }
}
