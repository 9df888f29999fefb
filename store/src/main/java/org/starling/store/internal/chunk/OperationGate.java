package org.starling.store.internal.chunk;

import java.util.concurrent.atomic.AtomicLongArray;
import org.starling.store.StoreException;

/**
 * Knows whether anybody is inside an operation, so that memory is not released under it. Entering
 * and leaving count in one of several counters, chosen by thread, each on cache lines of its own;
 * closing waits until all are 0. Any thread. Costs two atomic additions per operation.
 */
final class OperationGate {
    private static final int COUNTERS = 16;

    /** Longs from one counter to the next: 128 bytes, two cache lines. */
    private static final int STRIDE = 16;

    private final AtomicLongArray inside = new AtomicLongArray(COUNTERS * STRIDE + STRIDE);
    private volatile boolean closed;

    /**
     * Enters.
     *
     * @return what {@link #leave} wants back
     * @throws StoreException if the gate is closed
     */
    int enter() {
        int counter = (int) (Thread.currentThread().threadId() & COUNTERS - 1) * STRIDE + STRIDE;
        inside.getAndIncrement(counter);
        if (closed) {
            inside.getAndDecrement(counter);
            throw new StoreException("this node has been closed or expelled from the cluster");
        }
        return counter;
    }

    /**
     * Leaves.
     *
     * @param counter what {@link #enter} returned
     */
    void leave(int counter) {
        inside.getAndDecrement(counter);
    }

    /** Lets nobody in any more. */
    void close() {
        closed = true;
    }

    /** Waits until all are out; bounded by {@link Pause}. */
    void awaitEmpty() {
        for (int i = 1; i <= COUNTERS; i++) {
            int rounds = 0;
            while (inside.get(i * STRIDE) != 0) {
                rounds = Pause.next(rounds, "operations to leave a store that is being closed");
            }
        }
    }
}
