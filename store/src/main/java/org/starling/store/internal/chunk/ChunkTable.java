package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.ENTRY_BYTES;
import static org.starling.store.ChunkEntryLayout.PAGE_BYTES;
import static org.starling.store.ChunkEntryLayout.PAGE_ENTRIES;
import static org.starling.store.ChunkEntryLayout.PAGE_SHIFT;

import java.util.Arrays;
import org.starling.net.NativeMemory;

/**
 * Local id to entry, in constant time: pages of 2^16 entries in native memory, found through an
 * array. Owned by {@link IdSpace}. Reading is open to any thread; growing is guarded by the
 * allocation lock of {@link ChunkSpace}. Pages stay mapped until {@link #close}, so that a late
 * reader of a removed chunk finds an empty entry and never unmapped memory. Costs 8 bytes per id.
 */
final class ChunkTable implements AutoCloseable {
    /**
     * Pages are reserved in slabs of 4 MiB, which the operating system can back with huge pages.
     */
    private static final int SLAB_PAGES = 8;

    private static final long SLAB_BYTES = SLAB_PAGES * PAGE_BYTES;

    /** The longest page array: 2^28 pages, 2^44 ids. */
    private static final int MAX_PAGES = 1 << 28;

    /**
     * Addresses of the pages, longer than {@link #pages} used; replaced when it grows. Published by
     * being volatile.
     */
    private volatile long[] pages = new long[0];

    /**
     * Address of an entry.
     *
     * @return address, or 0 if the table does not reach so far
     */
    long entry(long local) {
        long[] current = pages;
        long page = local >>> PAGE_SHIFT;
        if (page >= current.length) {
            return 0;
        }
        return current[(int) page] + (local & (PAGE_ENTRIES - 1)) * ENTRY_BYTES;
    }

    /** Address of the first entry of a page that exists. */
    long page(int page) {
        return pages[page];
    }

    /** How many pages exist. */
    int pageCount() {
        return pages.length;
    }

    /** Ids below this have entries. */
    long reach() {
        return (long) pages.length << PAGE_SHIFT;
    }

    /**
     * Makes the table reach to a number of ids. Guarded by the allocation lock.
     *
     * @param ids so many ids, from 0 on, get entries
     */
    void growTo(long ids) {
        long needed = (ids + PAGE_ENTRIES - 1) >>> PAGE_SHIFT;
        if (needed > MAX_PAGES) {
            throw new IllegalStateException(
                    "chunk table would need " + needed + " pages, limit " + MAX_PAGES);
        }
        long[] current = pages;
        while (current.length < needed) {
            long slab = NativeMemory.reserve(SLAB_BYTES);
            int old = current.length;
            current = Arrays.copyOf(current, old + SLAB_PAGES);
            for (int i = 0; i < SLAB_PAGES; i++) {
                current[old + i] = slab + i * PAGE_BYTES;
            }
            pages = current;
        }
    }

    /**
     * Gives the memory of a page without chunks back to the operating system; the page reads as
     * empty afterwards.
     */
    void discard(int page) {
        NativeMemory.discard(pages[page], PAGE_BYTES);
    }

    /** Releases all pages. Nobody may be inside the table. */
    @Override
    public void close() {
        long[] old = pages;
        pages = new long[0];
        for (int i = 0; i < old.length; i += SLAB_PAGES) {
            NativeMemory.release(old[i], SLAB_BYTES);
        }
    }
}
