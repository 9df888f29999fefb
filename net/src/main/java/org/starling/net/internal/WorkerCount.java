package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How many workers a pool has, between two bounds. One that says that it waits ({@link #await}) is
 * made up for by another one; and so is, after a while, one whose handler is slow in any other way.
 * While tasks wait or there are more workers than usual, somebody looks again soon: nothing waits
 * for a worker that nobody adds.
 *
 * <p>Owned by {@link Workers}. Thread-safe. The pool's size is guarded by this; {@code
 * finishedBefore} and {@code reliefNanos} are confined to one look of {@link #relieve} after the
 * other, which {@code isWatched} orders.
 */
final class WorkerCount {

    /** The pool as it is at this moment. Thread-safe. */
    interface Pool {

        /** Workers that it may have. */
        int size();

        void resize(int size);

        /** Whether tasks wait for a worker. */
        boolean isBehind();

        /** Workers that run a task. */
        int active();

        boolean isClosed();
    }

    /** When tasks wait and no handler returns for so long, more workers help. */
    static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long added workers stay after the last one was added. */
    static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final VarHandle WATCHED =
            Fields.handle(MethodHandles.lookup(), "isWatched", boolean.class);

    private final int least;
    private final int most;
    private final Pool pool;
    private final Executor later;
    private final LongSupplier clock;
    private final LongAdder finished = new LongAdder();
    private final AtomicInteger awaiting = new AtomicInteger();

    /** Whether a look of {@link #relieve} is to come. */
    private volatile boolean isWatched;

    private long finishedBefore;
    private volatile long reliefNanos;

    /**
     * For a pool that has {@code least} workers.
     *
     * @param later runs what it is given after {@link #STALL_NANOS}
     * @param clock nanoseconds
     */
    WorkerCount(int least, int most, Pool pool, Executor later, LongSupplier clock) {
        this.least = least;
        this.most = most;
        this.pool = pool;
        this.later = later;
        this.clock = clock;
    }

    /** A worker is going to wait: until {@link #resume} another one may take its place. */
    void await() {
        awaiting.incrementAndGet();
        int wanted = wanted();
        if (wanted > pool.size()) {
            reliefNanos = clock.getAsLong();
            grow(wanted);
            watch();
        }
    }

    /** A worker goes on. */
    void resume() {
        awaiting.decrementAndGet();
    }

    /** A handler has returned. */
    void finished() {
        finished.increment();
    }

    /** A task has come: looks again in a while, unless that is to come already. */
    void watch() {
        if (!isWatched && WATCHED.compareAndSet(this, false, true)) {
            later.execute(this::relieve);
        }
    }

    /**
     * Adds workers when tasks wait and no handler has returned for a while: those that run are
     * slow, and the others must not wait for them. Takes the added ones away when they were not
     * needed for a while. One look at a time; the looks end when nothing waits and nothing was
     * added.
     */
    private void relieve() {
        long sum = finished.sum();
        long now = clock.getAsLong();
        int size = pool.size();
        if (pool.isBehind() && sum == finishedBefore) {
            reliefNanos = now;
            grow(Math.min(most, size + Math.max(1, size / 2)));
        } else if (size > least
                && now - reliefNanos > CALM_NANOS
                && pool.active() <= least) { // the slow ones have returned
            shrink();
        }
        finishedBefore = sum;
        isWatched = false;
        if (!pool.isClosed() && (pool.size() > least || pool.isBehind())) {
            watch();
        }
    }

    /** A larger size starts threads for what waits, and for what comes. */
    private synchronized void grow(int size) {
        if (size > pool.size()) {
            pool.resize(size);
        }
    }

    /** Who has begun to wait meanwhile may have found the old size large enough. */
    private synchronized void shrink() {
        do {
            pool.resize(wanted());
        } while (pool.size() < wanted());
    }

    private int wanted() {
        return Math.min(most, least + awaiting.get());
    }
}
