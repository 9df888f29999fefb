package org.starling.compute.internal.run;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts what has come from other slaves, round by round: a round is a superstep, or a step of a
 * build. The receiving thread adds, one worker waits.
 *
 * <p>Two rounds are open at a time: fast slaves send for the next one while slow ones still send
 * for this one, and each kind must be counted by itself. Nobody sends for the round after these
 * before all slaves are done with this one, whose place is free again by then; {@link
 * BlockReceiver} refuses what comes out of turn.
 */
public final class Arrivals {
    private static final long RECHECK_NANOS = 20_000_000;
    private static final long PROBE_NANOS = 1_000_000_000;

    /** Of a round, at its number's lowest bit. */
    private final AtomicLongArray totals = new AtomicLongArray(2);

    private volatile @Nullable Thread waiter;

    /** Counts and wakes the waiter. */
    public void add(int round, long count) {
        totals.getAndAdd(round & 1, count);
        Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    /**
     * Waits until so many have come in a round.
     *
     * @throws org.starling.graph.JobCancelledException if {@code stop} is raised
     * @throws org.starling.net.NodeLostException if some may be missing, also where that is none of
     *     those that are counted
     */
    public void await(int round, long wanted, StopSign stop, SlaveConnections connections) {
        int place = round & 1;
        if (totals.get(place) < wanted) {
            waiter = Thread.currentThread();
            connections.beginWait();
            long probed = System.nanoTime();
            try {
                while (totals.get(place) < wanted) {
                    stop.check();
                    connections.checkWait();
                    if (System.nanoTime() - probed > PROBE_NANOS) {
                        probed = System.nanoTime();
                        connections.probe();
                    }
                    LockSupport.parkNanos(this, RECHECK_NANOS);
                }
            } finally {
                waiter = null;
            }
        }
        connections.check();
        if (totals.get(place) > wanted) {
            throw new IllegalStateException(
                    totals.get(place) + " have come in round " + round + " instead of " + wanted);
        }
    }

    /** The same, and ends the round: its place is that of the round after the next. */
    public void take(int round, long wanted, StopSign stop, SlaveConnections connections) {
        await(round, wanted, stop, connections);
        totals.getAndAdd(round & 1, -wanted);
    }
}
