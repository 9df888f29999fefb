package org.starling.algorithms.sssp;

import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.starling.graph.Team;

/**
 * Finds out when the workers of a node have nothing left to do in a superstep. Safe for use by
 * several threads.
 *
 * <p>A worker that finds nothing says that it is idle, and before it looks again it says that it is
 * not. Work is only ever made by workers that are not idle and look at all of it before they say
 * they are; so when all are idle at once, there is none.
 */
final class Round {
    private final int superstep;
    private final int workers;
    private final long edgeBudget;
    private final AtomicInteger idle = new AtomicInteger();
    private final AtomicLong edges = new AtomicLong();
    private final AtomicInteger ceiling = new AtomicInteger(SharedSearch.BINS);

    /**
     * A round.
     *
     * @param edgeBudget when so many edges have been looked at, no farther bin is begun
     */
    Round(int superstep, int workers, long edgeBudget) {
        this.superstep = superstep;
        this.workers = workers;
        this.edgeBudget = edgeBudget;
    }

    int superstep() {
        return superstep;
    }

    /** Notes work done in a bin. */
    void spend(long newEdges, int bin) {
        if (edges.addAndGet(newEdges) > edgeBudget) {
            ceiling.accumulateAndGet(bin + 1, Math::min);
        }
    }

    /** Bins below this one may be worked at. */
    int ceiling() {
        return ceiling.get();
    }

    /** True if somebody waits for work. */
    boolean isAnyoneIdle() {
        return idle.get() > 0;
    }

    /**
     * Waits until there may be work again.
     *
     * @param chunks where work may be
     * @param bins so many bins are worked at beside it, up to the {@link #ceiling}
     * @return false if all workers are idle: the round is over
     */
    boolean awaitWork(SharedSearch shared, Deque<Chunk> chunks, int bins, Team team) {
        idle.incrementAndGet();
        while (idle.get() < workers) {
            if (shared.hasWork(chunks, Math.min(bins, ceiling()))) {
                idle.decrementAndGet();
                return true;
            }
            team.check();
            Thread.onSpinWait();
        }
        return false;
    }
}
