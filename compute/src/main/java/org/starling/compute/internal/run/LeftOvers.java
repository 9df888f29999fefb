package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;

/**
 * Removes chunks that nobody needs any more. While there are too few backups nothing happens to
 * those that are there, so their ids are nobody else's, and they are tried again on a thread of
 * their own until there are enough. An id without a chunk is let go at once, as the owner may give
 * it to somebody else: backups who take over from a lost owner need not have heard of every chunk.
 * For the same reason a chunk of this node is left where it is once that hands its zone over.
 * Whatever else goes wrong leaves them where they are, too: nobody knows whether they have been
 * removed, and their ids may be others' then. Any thread.
 */
public final class LeftOvers {
    private static final Logger LOG = LogManager.getLogger(LeftOvers.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ChunkService chunks;
    private final String what;

    private record Range(long first, int count, boolean isLocal) {}

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
        if (Thread.currentThread().isInterrupted()) { // it would wait for no answer
            Thread.ofVirtual().name("left-overs").start(() -> remove(first, count));
            return;
        }
        Range range = new Range(first, count, chunks.isLocal(first));
        List<Range> there = isDone(range) ? List.of() : there(range);
        if (there.isEmpty()) {
            return;
        }
        boolean hasThread;
        synchronized (waiting) {
            hasThread = !waiting.isEmpty();
            waiting.addAll(there);
        }
        if (!hasThread) {
            Thread.ofVirtual().name("left-overs").start(this::removeAll);
        }
    }

    /** What there is of a range. */
    private List<Range> there(Range range) {
        List<Range> found = new ArrayList<>();
        try {
            for (int done = 0; done < range.count; ) {
                int next = done;
                while (next < range.count && isThere(range.first + next, range.isLocal)) {
                    next++;
                }
                if (next > done) {
                    found.add(new Range(range.first + done, next - done, range.isLocal));
                }
                done = next + 1;
            }
        } catch (StoreException unknown) {
            leave(range, unknown);
            return List.of();
        }
        return found;
    }

    /** Here a pin tells; a read would wait for the very backups that there are not. */
    private boolean isThere(long id, boolean isLocal) {
        if (!isLocal) {
            return chunks.exists(id);
        }
        try (PinnedRange _ = chunks.pin(id, 1)) {
            return true;
        } catch (ChunkNotFoundException none) {
            return false;
        }
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
            if (isDone(next)) {
                synchronized (waiting) {
                    waiting.removeFirst();
                    next = waiting.peekFirst();
                }
            } else {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** Whether there is nothing more to do about chunks, for whatever reason. */
    private boolean isDone(Range range) {
        if (range.isLocal && !chunks.isLocal(range.first)) {
            leave(range, new StoreException("another node has their zone now"));
            return true;
        }
        try {
            chunks.removeRange(range.first, range.count);
            return true;
        } catch (UnderReplicatedException few) {
            LOG.debug("chunks from {} on wait for backups", ChunkId.toString(range.first), few);
            return false;
        } catch (StoreException e) {
            leave(range, e);
            return true;
        }
    }

    private void leave(Range range, StoreException why) {
        LOG.warn(
                "{} chunks from {} on, {}, could not be removed: {}",
                range.count,
                ChunkId.toString(range.first),
                what,
                why.getMessage());
    }
}
