package org.starling.store.internal.replica;

import it.unimi.dsi.fastutil.ints.IntArrayFIFOQueue;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.starling.store.ChunkId;

/**
 * Tells readers whether a chunk may have changes that are not acknowledged: counts such changes by
 * the hash of the chunk's index, and keeps changes of runs as they are. May say yes for a chunk
 * without any, never no for one with some. Changed under the lock of the zone; {@link #mayHold}
 * takes no lock unless runs are pending: a reader that has seen a change in memory was inside the
 * chunk after the writer, so it sees the count as well.
 */
final class PendingFilter {
    private static final int SLOTS = 1 << 12;
    private static final int RUN = -1;

    private record Run(int first, int count) {}

    private final AtomicIntegerArray counts = new AtomicIntegerArray(SLOTS);

    /** For each unacknowledged position, in order, its slot, or RUN. */
    private final IntArrayFIFOQueue slots = new IntArrayFIFOQueue();

    private final ArrayDeque<Run> runs = new ArrayDeque<>();

    /** Written under the lock of the zone. */
    private volatile int runCount;

    /** Position of the first element of the queue. */
    private long next;

    PendingFilter(long end) {
        next = end + 1;
    }

    /** The next position changes one chunk. */
    void add(long id) {
        int slot = slot(ChunkId.index(id));
        slots.enqueue(slot);
        counts.incrementAndGet(slot);
    }

    /** The next position changes a run. */
    void addRun(long first, int count) {
        if (count == 1) {
            add(first);
            return;
        }
        slots.enqueue(RUN);
        runs.addLast(new Run(ChunkId.index(first), count));
        runCount = runs.size();
    }

    /** Everything at or before a position is acknowledged. */
    void acknowledged(long position) {
        for (; next <= position && !slots.isEmpty(); next++) {
            int slot = slots.dequeueInt();
            if (slot == RUN) {
                runs.removeFirst();
            } else {
                counts.decrementAndGet(slot);
            }
        }
        runCount = runs.size();
    }

    /** Without a lock: false if no change of the chunk that the caller has seen is pending. */
    boolean mayHold(long id) {
        return runCount > 0 || counts.get(slot(ChunkId.index(id))) > 0;
    }

    /** Under the lock, as exact as it gets. */
    boolean holds(long id) {
        int index = ChunkId.index(id);
        if (counts.get(slot(index)) > 0) {
            return true;
        }
        for (Run run : runs) {
            if (index >= run.first && index - run.first < run.count) {
                return true;
            }
        }
        return false;
    }

    private static int slot(int index) {
        return (index * 0x9E3779B9) >>> 20;
    }
}
