package org.starling.store.internal.replica;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The thread that does what is due by time for the zones of a node: often while something is under
 * way, now and then for a second after that, and then not before it is told that something has
 * begun. Owned by {@link OwnedZones}.
 *
 * <p>Who begins something makes {@link Work#hasWork} true and then calls {@link #stir}; the thread
 * declares itself calm and then looks at {@code hasWork}. So one of them sees the other.
 */
final class ZoneRounds {
    private static final Logger LOGGER = LogManager.getLogger(ZoneRounds.class);
    private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** After so long without work the thread is calm. */
    private static final long CALM_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A calm thread looks for work that nobody has told of. */
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What the rounds are for. Thread-safe. */
    interface Work {
        /** Whether there is nothing that could have work. */
        boolean isEmpty();

        /** Whether something is under way. */
        boolean hasWork();

        /** One round. */
        void doWork();
    }

    private final int node;
    private final LongSupplier nanoClock;
    private final Work work;
    private volatile @Nullable Thread thread;
    private volatile boolean isClosed;

    /** Whether the thread sleeps until it is told of work. */
    private volatile boolean isCalm;

    /** Whether the thread was told of work since its last round began. */
    private volatile boolean isHurried;

    ZoneRounds(int node, LongSupplier nanoClock, Work work) {
        this.node = node;
        this.nanoClock = nanoClock;
        this.work = work;
    }

    void start() {
        Thread made = Thread.ofPlatform().daemon().name("zones-" + node).unstarted(this::run);
        thread = made; // first, so that nobody's hurry is lost
        made.start();
    }

    /** Ends the thread after its round. */
    void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }

    /** The next round begins now. */
    void hurry() {
        isHurried = true;
        LockSupport.unpark(thread);
    }

    /** There is work: a calm thread begins its next round now. Costs a look otherwise. */
    void stir() {
        if (isCalm) {
            isCalm = false;
            hurry();
        }
    }

    private void run() {
        long workedNanos = nanoClock.getAsLong();
        while (!isClosed) {
            boolean isBusy = isHurried || work.hasWork();
            isHurried = false;
            try {
                work.doWork();
            } catch (RuntimeException e) { // of one round; the next works out anew what is due
                if (!isClosed) {
                    LOGGER.error("a round of node {} over its zones failed", node, e);
                }
            }
            long now = nanoClock.getAsLong();
            workedNanos = isBusy ? now : workedNanos;
            pause(now - workedNanos > CALM_AFTER_NANOS);
        }
    }

    /** Until the next round is due, or somebody hurries; for ever when there is nothing at all. */
    private void pause(boolean mayBeCalm) {
        if (work.isEmpty()) {
            if (!isClosed) {
                LockSupport.park(this);
            }
        } else if (work.hasWork()) {
            LockSupport.parkNanos(this, BUSY_NANOS);
        } else if (mayBeCalm) {
            isCalm = true;
            if (!work.hasWork() && !isClosed) {
                LockSupport.parkNanos(this, CALM_NANOS);
            }
            isCalm = false;
        } else {
            LockSupport.parkNanos(this, IDLE_NANOS);
        }
    }
}
