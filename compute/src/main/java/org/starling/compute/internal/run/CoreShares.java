package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the workers of several jobs take turns on a node's cores, in shares that are weighted.
 *
 * <p>There are as many permits as cores. A worker takes one when it begins with pieces of work,
 * asks between two pieces whether it may go on, and gives the permit back where it would wait: at
 * barriers and for messages. Whoever waits is let in by virtual time: a share's time at work,
 * divided by its weight; the share with the least is next (stride scheduling, Waldspurger and Weihl
 * 1995). A share that comes back after a pause begins at the time of those that stayed.
 *
 * <p>Nobody is kept out for good by somebody who does not come to the end of a piece, be it an
 * endless loop or a ring of messages that is full: a permit that was held for {@link #OVERDUE} is
 * taken from its holder, who learns of it at the end of its piece. So permits can neither deadlock
 * nor are they more than a matter of who is first.
 *
 * <p>Where there is one share only, a turn costs two reads. Guarded by its own lock, under which
 * nobody waits but for a turn; any thread.
 */
public final class CoreShares {
    /** How long a worker goes on at least before it lets others in. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Virtual time that a share keeps for later when it pauses: at barriers all do. */
    private static final double CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** When somebody waits, longer pieces are not waited for. */
    static final Duration OVERDUE = Duration.ofMillis(50);

    private final int cores;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    /** Those who hold a permit; guarded by the lock. */
    private final List<Turn> holders = new ArrayList<>();

    /** Guarded by the lock. */
    private final List<Share> shares = new ArrayList<>();

    /** What those at work have come to, the last of them; guarded by the lock. */
    private double virtualNanos;

    /** Whether there is more than one share; written under the lock. */
    private volatile boolean shared;

    /** Workers that wait for their turns; changed under the lock. */
    private final AtomicInteger waiters = new AtomicInteger();

    /** Shares of so many cores. */
    public CoreShares(int cores) {
        this(cores, System::nanoTime);
    }

    CoreShares(int cores, LongSupplier nanoTime) {
        if (cores < 1) {
            throw new IllegalArgumentException("no cores to share");
        }
        this.cores = cores;
        this.nanoTime = nanoTime;
    }

    /**
     * A share for a job.
     *
     * @param weight how much it gets, beside others
     */
    public Share open(int weight) {
        lock.lock();
        try {
            Share share = new Share(weight, lock.newCondition());
            shares.add(share);
            shared = shares.size() > 1;
            return share;
        } finally {
            lock.unlock();
        }
    }

    /** Part of the cores that one job has. */
    public final class Share implements AutoCloseable {
        private final Condition turn;

        /** Guarded by the lock, as the fields below. */
        private int weight;

        /** Nanoseconds at work divided by the weight, and most of those of pauses. */
        private double virtualNanos;

        private int waiting;
        private int holding;

        private Share(int weight, Condition turn) {
            this.weight = checked(weight);
            this.turn = turn;
        }

        /** A worker's turns. */
        public Turn turn() {
            return new Turn(this);
        }

        /** Gives it another weight from now on. */
        public void weigh(int newWeight) {
            lock.lock();
            try {
                weight = checked(newWeight);
            } finally {
                lock.unlock();
            }
        }

        /** Its workers come no more; whoever still does is let in. */
        @Override
        public void close() {
            lock.lock();
            try {
                shares.remove(this);
                holders.removeIf(turn -> turn.share == this);
                shared = shares.size() > 1;
                letIn();
                turn.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private boolean isActive() {
            return waiting > 0 || holding > 0;
        }

        private static int checked(int weight) {
            if (weight < 1) {
                throw new IllegalArgumentException("a weight is at least 1, not " + weight);
            }
            return weight;
        }
    }

    /** A worker's turns, one after another. Confined to the worker. */
    public final class Turn {
        private final Share share;

        /** Whether a permit was taken, which may have been taken back. Confined to the worker. */
        private boolean begun;

        /** When it was taken; written under the lock by the worker. */
        private long sinceNanos;

        private Turn(Share share) {
            this.share = share;
        }

        /** Begins with pieces of work; waits until it may. */
        public void begin() {
            if (shared) {
                take(this);
            }
        }

        /** Between two pieces: waits if it is the turn of others. */
        public void next() {
            if (!begun) {
                begin();
            } else if (waiters.get() > 0 && nanoTime.getAsLong() - sinceNanos > SLICE_NANOS) {
                goOn(this);
            }
        }

        /** The worker has no more pieces. */
        public void end() {
            if (begun) {
                give(this);
            }
        }
    }

    private void take(Turn turn) {
        lock.lock();
        try {
            comeBack(turn.share);
            awaitPermit(turn);
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a worker's permit, unless somebody else should have it. */
    private void goOn(Turn turn) {
        lock.lock();
        try {
            holders.remove(turn);
            charge(turn);
            awaitPermit(turn);
        } finally {
            lock.unlock();
        }
    }

    private void give(Turn turn) {
        lock.lock();
        try {
            holders.remove(turn);
            charge(turn);
            turn.begun = false;
            letIn();
        } finally {
            lock.unlock();
        }
    }

    /** The lock is held but for waiting. A worker that was interrupted does not wait any more. */
    private void awaitPermit(Turn turn) {
        Share share = turn.share;
        share.waiting++;
        waiters.incrementAndGet();
        try {
            while (shares.size() > 1 && shares.contains(share) && !isNext(share)) {
                if (!takeOverdue()) {
                    share.turn.await(OVERDUE.toNanos(), TimeUnit.NANOSECONDS);
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        waiters.decrementAndGet();
        share.waiting--;
        share.holding++;
        turn.begun = true;
        turn.sinceNanos = nanoTime.getAsLong();
        holders.add(turn);
        letIn(); // there may be more permits
    }

    /** Takes permits from those that have held them for too long; false if there are none. */
    private boolean takeOverdue() {
        long now = nanoTime.getAsLong();
        boolean taken = holders.removeIf(turn -> now - turn.sinceNanos > OVERDUE.toNanos());
        letIn();
        return taken;
    }

    private void charge(Turn turn) {
        Share share = turn.share;
        share.virtualNanos += (double) (nanoTime.getAsLong() - turn.sinceNanos) / share.weight;
        double least = share.virtualNanos;
        for (Share other : shares) {
            if (other.isActive()) {
                least = Math.min(least, other.virtualNanos);
            }
        }
        virtualNanos = Math.max(virtualNanos, least);
        share.holding--;
    }

    /** A share that was away for long does not get what it did not ask for. */
    private void comeBack(Share share) {
        if (!share.isActive()) {
            share.virtualNanos = Math.max(share.virtualNanos, virtualNanos - CREDIT_NANOS);
        }
    }

    /** Whether a permit is free, and nobody who waits should have it first. */
    private boolean isNext(Share share) {
        return holders.size() < cores && first() == share;
    }

    private void letIn() {
        Share first = holders.size() < cores ? first() : null;
        if (first != null) {
            first.turn.signal();
        }
    }

    /** Of those with somebody who waits the one with the least time at work. */
    private @Nullable Share first() {
        Share first = null;
        for (Share share : shares) {
            if (share.waiting > 0 && (first == null || share.virtualNanos < first.virtualNanos)) {
                first = share;
            }
        }
        return first;
    }
}
