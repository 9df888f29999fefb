package org.starling.algorithms.sssp;

import java.util.concurrent.atomic.AtomicInteger;
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
    private final AtomicInteger idle = new AtomicInteger();

    Round(int superstep, int workers) {
        this.superstep = superstep;
        this.workers = workers;
    }

    int superstep() {
        return superstep;
    }

    /** True if somebody waits for work. */
    boolean isAnyoneIdle() {
        return idle.get() > 0;
    }

    /**
     * Waits until there may be work again.
     *
     * @param pile where work may be beside the bins
     * @return false if all workers are idle: the round is over
     */
    boolean awaitWork(Board board, Pile pile, Team team) {
        idle.incrementAndGet();
        while (idle.get() < workers) {
            if (board.hasWork(pile)) {
                idle.decrementAndGet();
                return true;
            }
            team.check();
            Thread.onSpinWait();
        }
        return false;
    }
}
