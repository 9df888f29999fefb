package org.starling.store.internal.chunk;

import java.util.concurrent.locks.LockSupport;
import org.starling.store.StoreException;

/**
 * How a thread waits for a chunk that another is inside of: spin, yield, then park in short steps,
 * up to a bound.
 */
final class Pause {
    private static final int SPINS = 128;
    private static final int YIELDS = 32;
    private static final long PARK_NANOS = 50_000;

    /**
     * 20 s of parking, and up to twice that on a busy machine: longer than the greatest chunk
     * takes.
     */
    static final int MAX_ROUNDS = 200_000;

    private Pause() {}

    /**
     * One round.
     *
     * @return rounds so far, this one included
     * @throws StoreException after the last round
     */
    @SuppressWarnings(
            "ThreadPriorityCheck") // yielding is one step of a bounded wait, not a promise
    static int next(int rounds, String what) {
        if (rounds < SPINS) {
            Thread.onSpinWait();
        } else if (rounds < SPINS + YIELDS) {
            Thread.yield();
        } else if (rounds < MAX_ROUNDS) {
            boolean isInterrupted = Thread.interrupted(); // or no pause would be one
            if (isInterrupted) {
                LockSupport.parkNanos(1); // ends at once, as the interrupt has left its permit
            }
            LockSupport.parkNanos(PARK_NANOS);
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        } else {
            throw new StoreException(
                    "gave up waiting for " + what + " after " + MAX_ROUNDS + " rounds");
        }
        return rounds + 1;
    }
}
