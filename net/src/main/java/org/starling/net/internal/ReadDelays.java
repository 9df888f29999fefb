package org.starling.net.internal;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When a node of a shuffled hub may read from each of the others: at drawn moments, between which
 * it leaves alone what they have sent. Confined to the receiving thread.
 */
final class ReadDelays {

    /** Longer than it takes several nodes to send what belongs together. */
    static final long MAX_DELAY_NANOS = TimeUnit.MICROSECONDS.toNanos(400);

    /** The delay of one link. */
    static final class Delay {
        private boolean isDrawn;
        private long dueNanos;
    }

    private final Random random;
    private final LongSupplier nanoClock;

    ReadDelays(long seed, LongSupplier nanoClock) {
        this.random = new Random(seed);
        this.nanoClock = nanoClock;
    }

    /** Whether the moment has come; the next one is drawn when it is asked for again. */
    boolean isDue(Delay delay) {
        long now = nanoClock.getAsLong();
        if (!delay.isDrawn) {
            delay.isDrawn = true;
            delay.dueNanos = now + random.nextLong(MAX_DELAY_NANOS);
        }
        delay.isDrawn = now - delay.dueNanos < 0;
        return !delay.isDrawn;
    }
}
