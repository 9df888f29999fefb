package org.starling.compute.internal.run;

import org.jspecify.annotations.Nullable;

/**
 * Room on the heap that is given back when code of users has taken all the rest, so that what has
 * to be said about it can be. One for the process; any thread.
 */
final class HeapReserve {
    static final int BYTES = 4 << 20;

    private static volatile byte @Nullable [] reserve = new byte[BYTES];

    private HeapReserve() {}

    /** Somebody has got an {@link OutOfMemoryError}. */
    static void release() {
        reserve = null;
    }

    /** There is room again: a run begins. */
    static void refill() {
        if (reserve == null) {
            reserve = new byte[BYTES];
        }
    }
}
