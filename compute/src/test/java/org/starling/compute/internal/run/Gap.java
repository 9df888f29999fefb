package org.starling.compute.internal.run;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * The gap a twin with a seeded bug leaves between two steps that belong together: all threads meet
 * in it, so the schedule that shows the bug comes every time and on any machine.
 */
final class Gap {
    private final CyclicBarrier all;

    Gap(int threads) {
        all = new CyclicBarrier(threads);
    }

    /** Returns when all threads are here. */
    void meet() {
        try {
            all.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException("the other threads did not come", e);
        }
    }
}
