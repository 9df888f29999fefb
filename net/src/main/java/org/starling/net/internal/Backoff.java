package org.starling.net.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.starling.net.Waiting;

/**
 * Waiting: spin, then park for longer and longer. Confined to the waiting thread. Whoever waits
 * checks its condition between two calls of {@link #pause} and calls {@link #reset} when there was
 * something to do, which ends the episode.
 *
 * <p>{@link Waiting#ADAPTIVE} spins when that is worth while: the last episodes were short, and the
 * machine has a core for the spinning thread ({@link BusyCores}), since otherwise it takes the core
 * from whoever it waits for. So an idle node sleeps, and two nodes that play ping-pong do not.
 *
 * <p>There is no yielding in between: where other threads are runnable, a yield gives a whole time
 * slice away (4 ms at the 99th percentile of round trips, measured on two cores), and a park of 20
 * µs does not.
 */
final class Backoff {

    /** Longest time to spin in one episode. */
    static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** An episode in which spinning would have found its end, or which a wake-up made longer. */
    private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

    private static final long MIN_PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Bound of {@code hope}, and the hope that it takes to spin. */
    private static final int MAX_HOPE = 4;

    private static final int SPIN_HOPE = 2;

    private final Waiting waiting;

    /** How many more of the last episodes were short than long. */
    private int hope = SPIN_HOPE;

    private long startNanos;
    private boolean isStarted;
    private boolean isSpinning;
    private long parkNanos = MIN_PARK_NANOS;

    Backoff(Waiting waiting) {
        this.waiting = waiting;
    }

    /** Ends the episode; the next pause starts a new one. */
    void reset() {
        if (isStarted) {
            boolean isShort = System.nanoTime() - startNanos < SHORT_NANOS;
            hope = isShort ? Math.min(hope + 1, MAX_HOPE) : Math.max(hope - 1, 0);
            isStarted = false;
        }
        parkNanos = MIN_PARK_NANOS;
    }

    /** Waits a little, parking if it has waited long. */
    void pause() {
        if (!pauseAwake()) {
            if (Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
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
            startNanos = System.nanoTime();
            isSpinning = hope >= SPIN_HOPE && !BusyCores.MACHINE.isOverProvisioned();
        }
        if (isSpinning) {
            Thread.onSpinWait();
            isSpinning = System.nanoTime() - startNanos < SPIN_NANOS;
        }
        return isSpinning;
    }
}
