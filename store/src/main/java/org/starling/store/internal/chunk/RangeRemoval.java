package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.headerBytes;
import static org.starling.store.ChunkEntryLayout.payloadAddress;
import static org.starling.store.ChunkEntryLayout.payloadBytes;

import java.util.Arrays;
import org.starling.store.ChunkPinnedException;

/**
 * Removes the chunks of one range; ids without a chunk are passed over. Confined to one thread and
 * one range.
 *
 * <p>In a zone, neighbours are entered together, up to {@link #MAX_RUN}, so that they are logged as
 * one run before any of them can be seen to be gone. Only the first chunk of a run is waited for;
 * when another turns out to be busy, the run ends before it: so nobody waits for one chunk while
 * inside of another. The last run of the range carries the tag, so that a successor that knows the
 * tag knows that the removal was complete.
 */
final class RangeRemoval {
    /** The most chunks that are entered together. */
    static final int MAX_RUN = 1024;

    private final IdSpace ids;
    private final RemovedRun freeing;

    /** Entries of the chunks that this thread is inside of: local ids from runFirst on. */
    private long[] run = new long[16];

    private long runFirst;
    private int runCount;
    private long position;

    RangeRemoval(ChunkSpace space, IdSpace ids) {
        this.ids = ids;
        freeing = new RemovedRun(space, ids);
    }

    /**
     * Removes the range.
     *
     * @return how many chunks, and the last position in the log
     * @throws ChunkPinnedException if one is pinned; nothing is removed then, or those before it if
     *     it is pinned meanwhile
     */
    Removed remove(long first, int count, WriteTag tag) {
        long pinned = count == 1 ? -1 : ids.pins.firstPinned(first - ids.firstId, count);
        if (pinned >= 0) {
            throw new ChunkPinnedException(ids.firstId + pinned);
        }
        try {
            if (ids.isLogged()) {
                removeLogged(first - ids.firstId, count, tag);
            } else {
                removeVolatile(first - ids.firstId, count);
            }
        } finally {
            freeing.flush();
        }
        return new Removed(freeing.removed(), position);
    }

    private void removeVolatile(long first, int count) {
        for (long local = first; local < first + count; local++) {
            long address = ids.table.entry(local);
            long entry = address == 0 ? EntryLock.ABSENT : EntryLock.lockWrite(address);
            if (entry != EntryLock.ABSENT) {
                checkNotPinned(local, address, entry);
                int bytes = payloadBytes(entry);
                // From here on the id can be found free and given to a new chunk; this thread is
                // done with its entry.
                EntryLock.unlockWrite(address, 0);
                free(local, entry, bytes);
            }
        }
    }

    private void removeLogged(long first, int count, WriteTag tag) {
        try {
            for (long local = first; local < first + count; local++) {
                long address = ids.table.entry(local);
                if (address == 0) {
                    break;
                }
                long entry = enter(local, address);
                if (entry != EntryLock.ABSENT) {
                    checkNotPinned(local, address, entry);
                    add(local, entry);
                }
            }
        } catch (RuntimeException e) {
            endRun(WriteTag.NONE);
            throw e;
        }
        endRun(tag);
    }

    /** Enters the next chunk, after ending the run if it cannot be part of it. */
    private long enter(long local, long address) {
        if (runCount > 0) {
            long entry = EntryLock.tryWrite(address);
            boolean isNext = local == runFirst + runCount && runCount < MAX_RUN;
            if (entry == EntryLock.ABSENT || (entry != EntryLock.BUSY && isNext)) {
                return entry;
            }
            if (entry != EntryLock.BUSY) {
                EntryLock.unlockWrite(address, entry);
            }
            endRun(WriteTag.NONE);
        }
        return EntryLock.lockWrite(address);
    }

    private void add(long local, long entry) {
        if (runCount == 0) {
            runFirst = local;
        }
        if (runCount == run.length) {
            run = Arrays.copyOf(run, 2 * runCount);
        }
        run[runCount++] = entry;
    }

    /** Logs the run, leaves its chunks as removed, and frees them. */
    private void endRun(WriteTag tag) {
        int count = runCount;
        if (count == 0) {
            return;
        }
        runCount = 0;
        boolean logged = false;
        try {
            position = ids.removed(runFirst, count, tag);
            logged = true;
        } finally {
            for (int i = 0; i < count; i++) {
                EntryLock.unlockWrite(ids.table.entry(runFirst + i), logged ? 0 : run[i]);
            }
        }
        // The blocks are still this thread's own, and their headers readable.
        for (int i = 0; i < count; i++) {
            free(runFirst + i, run[i], payloadBytes(run[i]));
        }
    }

    private void checkNotPinned(long local, long address, long entry) {
        if (ids.pins.isPinned(local)) {
            EntryLock.unlockWrite(address, entry);
            throw new ChunkPinnedException(ids.firstId + local);
        }
    }

    private void free(long local, long entry, int bytes) {
        freeing.add(local, payloadAddress(entry) - headerBytes(entry), bytes, headerBytes(entry));
    }
}
