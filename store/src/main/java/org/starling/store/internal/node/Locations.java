package org.starling.store.internal.node;

import java.util.function.LongFunction;
import org.starling.store.ChunkId;
import org.starling.store.internal.directory.RangeMap;

/**
 * What one node knows of the owners of chunks. As long as the directory has not said otherwise,
 * every creator owns what it made, and nothing is asked or kept. From the first move on, ranges are
 * asked for when needed, kept, and changed when the directory tells of a move. Any thread; asking
 * the directory happens outside of the lock.
 */
final class Locations {
    /** The most ranges that are kept; more are forgotten together and asked for again. */
    static final int MAX_RANGES = 1 << 16;

    private final int self;
    private final LongFunction<RangeMap.Range> directory;

    /** Guarded by itself. */
    private final RangeMap known = new RangeMap();

    /**
     * Counts changes told by the directory, so that an answer from before a change is not kept.
     * Guarded by known.
     */
    private long changes;

    /** False from the first move on. */
    private volatile boolean everyCreatorOwns = true;

    Locations(int self, LongFunction<RangeMap.Range> directory) {
        this.self = self;
        this.directory = directory;
    }

    /**
     * The owner of a chunk; asks the directory if need be, so not for receiving threads after a
     * move.
     */
    int ownerOf(long id) {
        if (everyCreatorOwns) {
            return ChunkId.creator(id);
        }
        long seen;
        synchronized (known) {
            int node = known.nodeOf(id);
            if (node != RangeMap.NONE) {
                return node;
            }
            seen = changes;
        }
        RangeMap.Range range = directory.apply(id);
        synchronized (known) {
            if (seen == changes) {
                makeRoom();
                known.put(range);
            }
        }
        return range.node();
    }

    /** Whether this node owns a chunk, as far as it knows; never asks. */
    boolean isOwned(long id) {
        if (everyCreatorOwns) {
            return ChunkId.creator(id) == self;
        }
        synchronized (known) {
            int node = known.nodeOf(id);
            return (node == RangeMap.NONE ? ChunkId.creator(id) : node) == self;
        }
    }

    /** The directory tells of a move. */
    void moved(RangeMap.Range range) {
        synchronized (known) {
            changes++;
            makeRoom();
            known.put(range);
        }
        everyCreatorOwns = false;
    }

    /** The directory has moved ranges, but which is not known here. */
    void someMoved() {
        everyCreatorOwns = false;
    }

    /** Forgets a chunk's range because its node says that it does not own it. */
    void forget(long id) {
        synchronized (known) {
            changes++;
            known.remove(id, id);
        }
        everyCreatorOwns = false;
    }

    private void makeRoom() {
        if (known.size() >= MAX_RANGES) {
            known.clear();
        }
    }
}
