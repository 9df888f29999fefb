package org.starling.compute.internal.run;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts what has come from other slaves. The receiving thread adds, one worker waits.
 *
 * <p>Totals only grow, so that it does not matter whether something comes before or after somebody
 * waits for it.
 */
public final class Arrivals {
    private static final long RECHECK_NANOS = 20_000_000;

    private final AtomicLong total = new AtomicLong();
    private volatile @Nullable Thread waiter;

    /** Counts and wakes the waiter. */
    public void add(long count) {
        total.addAndGet(count);
        Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    /** Waits until so many have come in all, or {@code stop} is raised (then it throws). */
    public void await(long wanted, StopSign stop) {
        if (total.get() >= wanted) {
            return;
        }
        waiter = Thread.currentThread();
        try {
            while (total.get() < wanted) {
                stop.check();
                LockSupport.parkNanos(this, RECHECK_NANOS);
            }
        } finally {
            waiter = null;
        }
    }
}
