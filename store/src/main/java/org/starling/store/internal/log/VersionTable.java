package org.starling.store.internal.log;

import java.util.Arrays;
import org.starling.net.NativeMemory;

/**
 * For each chunk of a zone the position of its newest change, and where in the log that lies. 16
 * native bytes for each index, in pages of 4096 that come when first needed and stay until the log
 * is closed. A removed chunk keeps its slot, so that an older value that comes late (a part of a
 * full copy) finds that it is late.
 *
 * <p>Written under the lock of its log. Read by replaying threads without it: they see all that was
 * written before they began, and what is written meanwhile only makes entries stale.
 *
 * <pre>
 *   slot   8  position &lt;&lt; 2 | removed &lt;&lt; 1 | known
 *          8  segment &lt;&lt; 32 | bytes that the value takes in the log
 * </pre>
 */
final class VersionTable implements AutoCloseable {
    /** Takes live chunks. */
    @FunctionalInterface
    interface LiveVisitor {
        /** One chunk. */
        void visit(int index, long position);
    }

    private static final int PAGE_SHIFT = 12;
    private static final int PAGE_SLOTS = 1 << PAGE_SHIFT;
    private static final int SLOT_BYTES = 16;
    private static final long PAGE_BYTES = (long) PAGE_SLOTS * SLOT_BYTES;
    private static final int KNOWN = 1;
    private static final int REMOVED = 2;
    private static final int POSITION_SHIFT = 2;

    /** Addresses of the pages, 0 for none; replaced when it grows. */
    private volatile long[] pages = new long[4];

    private long liveBytes;

    /** Notes a change, unless a later one is known. */
    boolean set(int index, long position, boolean removed, int segment, int bytes) {
        long slot = slotFor(index);
        long old = NativeMemory.getLong(slot);
        if (old >>> POSITION_SHIFT > position) {
            return false;
        }
        if ((old & (KNOWN | REMOVED)) == KNOWN) {
            liveBytes -= NativeMemory.getInt(slot + Long.BYTES);
        }
        int takes = removed ? 0 : bytes;
        if (!removed) {
            liveBytes += bytes;
        }
        NativeMemory.putLong(slot + Long.BYTES, (long) segment << 32 | takes);
        NativeMemory.putLong(slot, position << POSITION_SHIFT | (removed ? REMOVED : 0) | KNOWN);
        return true;
    }

    /**
     * Notes all that an entry changes.
     *
     * @param entryBytes what the entry takes in the log
     */
    void apply(EntryCursor entry, long position, int segment, int entryBytes) {
        int first = entry.index();
        int count = entry.count();
        switch (entry.kind()) {
            case EntryLayout.SKIP -> {}
            case EntryLayout.REMOVE -> {
                for (int i = 0; i < count; i++) {
                    set(first + i, position, true, segment, 0);
                }
            }
            default -> {
                // Never 0, so that the bytes of live entries are never more than counted.
                int each = Math.ceilDiv(entryBytes, count);
                for (int i = 0; i < count; i++) {
                    set(first + i, position, false, segment, each);
                }
            }
        }
    }

    /** Whether a change at this position would count. */
    boolean wouldCount(int index, long position) {
        long slot = slotOrZero(index);
        return slot == 0 || NativeMemory.getLong(slot) >>> POSITION_SHIFT <= position;
    }

    /** Whether the newest value of a chunk is the one of this position in this segment. */
    boolean isLive(int index, long position, int segment) {
        long slot = slotOrZero(index);
        return slot != 0
                && NativeMemory.getLong(slot) == (position << POSITION_SHIFT | KNOWN)
                && NativeMemory.getInt(slot + Long.BYTES + Integer.BYTES) == segment;
    }

    /** Visits the chunks whose newest value lies in a segment. */
    void forEachLive(int segment, LiveVisitor visitor) {
        long[] all = pages;
        for (int page = 0; page < all.length; page++) {
            for (int i = 0; all[page] != 0 && i < PAGE_SLOTS; i++) {
                long slot = all[page] + (long) i * SLOT_BYTES;
                long word = NativeMemory.getLong(slot);
                if ((word & (KNOWN | REMOVED)) == KNOWN
                        && NativeMemory.getInt(slot + Long.BYTES + Integer.BYTES) == segment) {
                    visitor.visit(page << PAGE_SHIFT | i, word >>> POSITION_SHIFT);
                }
            }
        }
    }

    long liveBytes() {
        return liveBytes;
    }

    @Override
    public void close() {
        for (long page : pages) {
            if (page != 0) {
                NativeMemory.release(page, PAGE_BYTES);
            }
        }
        pages = new long[0];
    }

    private long slotOrZero(int index) {
        long[] all = pages;
        int page = index >>> PAGE_SHIFT;
        if (page >= all.length || all[page] == 0) {
            return 0;
        }
        return all[page] + (long) (index & PAGE_SLOTS - 1) * SLOT_BYTES;
    }

    private long slotFor(int index) {
        int page = index >>> PAGE_SHIFT;
        if (page >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(page + 1, 2 * pages.length));
        }
        long[] all = pages;
        if (all[page] == 0) {
            all[page] = NativeMemory.reserve(PAGE_BYTES);
        }
        return all[page] + (long) (index & PAGE_SLOTS - 1) * SLOT_BYTES;
    }
}
