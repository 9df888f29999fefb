package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;

/**
 * Removes chunks that nobody needs any more. While there are too few backups nothing happens to
 * them, so their ids are nobody else's, and they are tried again on a thread of their own until
 * there are enough. Whatever else goes wrong leaves them where they are: nobody knows whether they
 * have been removed, and their ids may be others' then. Any thread.
 */
public final class LeftOvers {
    private static final Logger LOG = LogManager.getLogger(LeftOvers.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ChunkService chunks;
    private final String what;

    private record Range(long first, int count) {}

    /** In the order in which they came; guarded by itself. */
    private final Deque<Range> waiting = new ArrayDeque<>();

    /**
     * None yet.
     *
     * @param chunks where they are
     * @param what they are, in words that go behind "chunks from … on, "
     */
    public LeftOvers(ChunkService chunks, String what) {
        this.chunks = chunks;
        this.what = what;
    }

    /**
     * Removes chunks now, or when there are enough backups.
     *
     * @param first id of the first
     * @param count consecutive ids of one owner
     */
    public void remove(long first, int count) {
        Range range = new Range(first, count);
        // A thread that was told to stop waits for no answer.
        if (!Thread.currentThread().isInterrupted() && isDone(range)) {
            return;
        }
        synchronized (waiting) {
            waiting.addLast(range);
            if (waiting.size() > 1) {
                return; // there is a thread
            }
        }
        Thread.ofVirtual().name("left-overs").start(this::removeAll);
    }

    /** Number of chunks that wait for backups. */
    public int size() {
        synchronized (waiting) {
            return waiting.stream().mapToInt(Range::count).sum();
        }
    }

    /**
     * Ends with the last range; with the node at the latest, as nothing is refused then for want of
     * backups.
     */
    private void removeAll() {
        Range next;
        synchronized (waiting) {
            next = waiting.getFirst();
        }
        while (next != null) {
            LockSupport.parkNanos(PAUSE.toNanos());
            if (isDone(next)) {
                synchronized (waiting) {
                    waiting.removeFirst();
                    next = waiting.peekFirst();
                }
            }
        }
    }

    /** Whether there is nothing more to do about chunks, for whatever reason. */
    private boolean isDone(Range range) {
        try {
            chunks.removeRange(range.first, range.count);
            return true;
        } catch (UnderReplicatedException few) {
            LOG.debug("chunks from {} on wait for backups", ChunkId.toString(range.first), few);
            return false;
        } catch (StoreException e) {
            LOG.warn(
                    "{} chunks from {} on, {}, could not be removed: {}",
                    range.count,
                    ChunkId.toString(range.first),
                    what,
                    e.getMessage());
            return true;
        }
    }
}
