package org.starling.store.internal.node;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.starling.store.Durability;

/**
 * What the cluster promises, as seen since this node has been there: peers that were lost a moment
 * ago are often back in a moment, and who can wait for them need not make do with less. Any thread.
 */
final class PromiseWatch {
    private static final long PAUSE_NANOS = 50_000_000;

    private final int wanted;
    private final IntSupplier storing;
    private final LongSupplier nanoClock;

    /** As last seen; guarded by this. */
    private Durability last = Durability.MEMORY;

    /** Whether it was more once; guarded by this. */
    private boolean hasFallen;

    /** When it became less; guarded by this. */
    private long fellNanos;

    /**
     * A watch that has seen nothing yet.
     *
     * @param wanted backups of a zone
     * @param storing tells how many peers with data directories are up
     * @param wasMore whether this node kept backups before it was started again: others may have
     *     been lost with it, and be back in a moment, too
     */
    PromiseWatch(int wanted, IntSupplier storing, LongSupplier nanoClock, boolean wasMore) {
        this.wanted = wanted;
        this.storing = storing;
        this.nanoClock = nanoClock;
        hasFallen = wasMore;
        fellNanos = nanoClock.getAsLong();
    }

    /** What is promised now. To be called when members come and go, so that nothing is missed. */
    synchronized Promise look() {
        Promise promise = new Promise(wanted, storing.getAsInt());
        Durability now = promise.durability();
        if (now.compareTo(last) < 0) {
            hasFallen = true;
            fellNanos = nanoClock.getAsLong();
        } else if (now.compareTo(last) > 0) {
            hasFallen = false;
        }
        last = now;
        return promise;
    }

    /**
     * Waits while less is promised than before, but only for peers that have not been away for
     * long.
     *
     * @param patience how long after the loss
     * @return what is promised then
     */
    Durability await(Duration patience) {
        while (true) {
            Durability now = look().durability();
            if (!isWorthWaiting(patience) || Thread.currentThread().isInterrupted()) {
                return now;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private synchronized boolean isWorthWaiting(Duration patience) {
        return hasFallen && nanoClock.getAsLong() - fellNanos < patience.toNanos();
    }
}
