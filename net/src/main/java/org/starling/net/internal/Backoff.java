package org.starling.net.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.starling.net.Waiting;

/**
 * One episode of waiting: spin, then yield, then park for longer and longer. Confined to the
 * waiting thread. Whoever waits checks its condition between two calls of {@link #pause}.
 */
@SuppressWarnings(
        "ThreadPriorityCheck") // yielding comes between spinning and sleeping, and nothing depends
// on it
final class Backoff {

    /** Longest time to spin in one episode. */
    static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final int YIELDS = 4;
    private static final long MIN_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Threads that spin in this process; one core is always left to whoever is being waited for.
     */
    private static final AtomicInteger SPINNING = new AtomicInteger();

    private static final int MAX_SPINNING = Runtime.getRuntime().availableProcessors() - 1;

    private final Waiting waiting;
    private long spinUntilNanos;
    private boolean isStarted;
    private boolean isSpinning;
    private int yields;
    private long parkNanos = MIN_PARK_NANOS;

    Backoff(Waiting waiting) {
        this.waiting = waiting;
    }

    /** Ends the episode; the next pause starts a new one. */
    void reset() {
        stopSpinning();
        isStarted = false;
        yields = 0;
        parkNanos = MIN_PARK_NANOS;
    }

    /** Waits a little, parking if it has waited long. */
    void pause() {
        if (!pauseAwake()) {
            if (Thread.currentThread().isInterrupted()) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, parkNanos);
            }
            parkNanos = Math.min(2 * parkNanos, MAX_PARK_NANOS);
        }
    }

    /** Waits a little without sleeping; false when it is time to sleep. */
    boolean pauseAwake() {
        if (waiting == Waiting.SPIN) {
            Thread.onSpinWait();
            return true;
        }
        if (waiting == Waiting.SLEEP) {
            return false;
        }
        if (!isStarted) {
            isStarted = true;
            startSpinning();
        }
        if (isSpinning) {
            if (System.nanoTime() - spinUntilNanos < 0) {
                Thread.onSpinWait();
                return true;
            }
            stopSpinning();
        }
        if (yields < YIELDS) {
            yields++;
            Thread.yield();
            return true;
        }
        return false;
    }

    private void startSpinning() {
        if (SPINNING.get() < MAX_SPINNING) {
            SPINNING.getAndIncrement();
            isSpinning = true;
            spinUntilNanos = System.nanoTime() + SPIN_NANOS;
        }
    }

    private void stopSpinning() {
        if (isSpinning) {
            isSpinning = false;
            SPINNING.getAndDecrement();
        }
    }
}
