package org.starling.net.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tells bursts from single messages, so that a single one is written by its sender, which saves a
 * wake-up, and those of a burst leave together.
 *
 * <p>One per process ({@link #PROCESS}), since from which node and to whom messages go does not
 * matter: a sender that is back right after a write has more to say. Used by all sending threads
 * without order among them; a lost update costs one write too many.
 */
final class BurstGauge {

    /** Who commits sooner than this after a write is in a row. */
    private static final long QUIET_NANOS = TimeUnit.MICROSECONDS.toNanos(2);

    /** Writes in a row before it is a burst: a message to each replica is none. */
    private static final int MAX_ROW = 8;

    static final BurstGauge PROCESS = new BurstGauge(System::nanoTime);

    private final LongSupplier nanoClock;
    private volatile long wroteNanos;
    private volatile int row;

    BurstGauge(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.wroteNanos = nanoClock.getAsLong() - QUIET_NANOS;
    }

    /** Whether a message committed now had better wait for others. */
    boolean isBurst() {
        if (nanoClock.getAsLong() - wroteNanos >= QUIET_NANOS) {
            if (row != 0) {
                row = 0;
            }
            return false;
        }
        return row >= MAX_ROW;
    }

    /** A sender has left its message to the receiving thread, which it may have had to wake. */
    void left() {
        wroteNanos = nanoClock.getAsLong();
    }

    /** A sender has written by itself. */
    void wrote() {
        int present = row;
        if (present < MAX_ROW) {
            row = present + 1;
        }
        wroteNanos = nanoClock.getAsLong();
    }
}
