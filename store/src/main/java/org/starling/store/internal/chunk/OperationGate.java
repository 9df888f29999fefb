package org.starling.store.internal.chunk;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;

/**
 * Knows whether anybody is inside an operation, so that memory is not released under it. Entering
 * and leaving count in one of several counters, chosen by thread, each on cache lines of its own.
 *
 * <p>Counters come in pairs, one for each of two phases. Whoever enters counts in the current phase
 * and looks at the phase again; so once the phase has changed and the counters of the old one are
 * 0, everybody who came before the change is out, however many come after it ({@link
 * #awaitThoseInside}). Closing waits until both are 0. Any thread. Costs two atomic additions per
 * operation.
 */
final class OperationGate {
    /** Leads to no counter. */
    static final int REFUSED = -1;

    private static final int COUNTERS = 16;

    /** Longs from one pair of counters to the next: 128 bytes, two cache lines. */
    private static final int STRIDE = 16;

    private static final int PHASE = 1;
    private static final int CLOSED = 2;

    private final AtomicLongArray inside = new AtomicLongArray(COUNTERS * STRIDE + STRIDE);

    /** {@link #PHASE} and {@link #CLOSED}. Written under the monitor of this. */
    private volatile int state;

    /**
     * Enters.
     *
     * @return what {@link #leave} wants back
     * @throws StoreException if the gate is closed
     */
    int enter() {
        int counter = tryEnter();
        if (counter == REFUSED) {
            throw new StoreException("this node has been closed or expelled from the cluster");
        }
        return counter;
    }

    /** As {@link #enter}; {@link #REFUSED} if the gate is closed. */
    int tryEnter() {
        int pair = (int) (Thread.currentThread().threadId() & COUNTERS - 1) * STRIDE + STRIDE;
        while (true) {
            int seen = state;
            int counter = pair + (seen & PHASE);
            inside.getAndIncrement(counter);
            if (state == seen && seen < CLOSED) {
                return counter;
            }
            inside.getAndDecrement(counter);
            if (seen >= CLOSED) {
                return REFUSED;
            }
        }
    }

    /**
     * Leaves.
     *
     * @param counter what {@link #enter} returned
     */
    void leave(int counter) {
        inside.getAndDecrement(counter);
    }

    /** Does something inside, for operations that can afford the object. */
    <T extends @Nullable Object> T pass(Supplier<T> operation) {
        int counter = enter();
        try {
            return operation.get();
        } finally {
            leave(counter);
        }
    }

    /** As {@link #pass(Supplier)}. */
    void pass(Runnable operation) {
        int counter = enter();
        try {
            operation.run();
        } finally {
            leave(counter);
        }
    }

    /** Lets nobody in any more. */
    synchronized void close() {
        state |= CLOSED;
    }

    boolean isClosed() {
        return state >= CLOSED;
    }

    /**
     * Waits until those are out who are inside now; others may come meanwhile. Not for a thread
     * that is inside itself; bounded by {@link Pause}.
     */
    synchronized void awaitThoseInside() {
        int old = state & PHASE;
        // Those of an earlier change for whom the wait was given up still count in the other phase.
        awaitEmpty(old ^ PHASE);
        state ^= PHASE;
        awaitEmpty(old);
    }

    /** Waits until all are out; bounded by {@link Pause}. */
    void awaitEmpty() {
        awaitEmpty(0);
        awaitEmpty(PHASE);
    }

    private void awaitEmpty(int phase) {
        for (int i = 1; i <= COUNTERS; i++) {
            int rounds = 0;
            while (inside.get(i * STRIDE + phase) != 0) {
                rounds = Pause.next(rounds, "operations to leave a store that is being closed");
            }
        }
    }
}
