package org.starling.algorithms.sssp;

import org.jspecify.annotations.Nullable;

/** Chunks that wait for a worker, the last one on top. Safe for use by several threads. */
final class Pile {
    /** Guarded by this. */
    private @Nullable Chunk top;

    /** Written under the lock, read without it for a first look. */
    private volatile boolean empty = true;

    /** Adds a chunk, which the caller lets go of. */
    synchronized void push(Chunk chunk) {
        chunk.below = top;
        top = chunk;
        empty = false;
    }

    /** Takes a chunk; null if there is none. */
    @Nullable Chunk poll() {
        if (empty) {
            return null;
        }
        synchronized (this) {
            Chunk taken = top;
            if (taken != null) {
                top = taken.below;
                taken.below = null;
                empty = top == null;
            }
            return taken;
        }
    }

    /** Forgets all chunks. */
    synchronized void clear() {
        top = null;
        empty = true;
    }

    boolean isEmpty() {
        return empty;
    }
}
