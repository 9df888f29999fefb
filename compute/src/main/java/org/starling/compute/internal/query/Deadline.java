package org.starling.compute.internal.query;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.starling.compute.internal.query.PointQueries.UnansweredException;

/**
 * Until when something is tried.
 *
 * @param atNanos as {@link System#nanoTime} has it
 */
record Deadline(long atNanos) {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    static Deadline in(Duration time) {
        return inNanos(time.toNanos());
    }

    static Deadline inNanos(long nanos) {
        return new Deadline(System.nanoTime() + nanos);
    }

    /** What is left; 0 if nothing is. */
    long leftNanos() {
        return Math.max(0, atNanos - System.nanoTime());
    }

    boolean isOver() {
        return leftNanos() == 0;
    }

    /**
     * Waits a moment before the next try, a longer one each time.
     *
     * @throws UnansweredException if the thread is interrupted
     */
    void pause(int tries) {
        if (Thread.currentThread().isInterrupted()) {
            throw new UnansweredException("the question was interrupted");
        }
        LockSupport.parkNanos(this, Math.min(leftNanos(), STEP_NANOS * Math.min(tries, 10)));
    }
}
