package org.starling.store.internal.replica;

import java.util.concurrent.CompletableFuture;

/**
 * The permission to carry out one write, given by {@link OwnedZones#admit}. A fresh one is ended
 * once, by {@link #done} or {@link #failed}; of a repeated one, {@link #first} tells what the first
 * execution did. Thread-safe.
 */
public final class WriteGuard {
    private final boolean isFresh;
    private final CompletableFuture<Executed> outcome;
    private final Runnable ended;

    WriteGuard(boolean isFresh, CompletableFuture<Executed> outcome, Runnable ended) {
        this.isFresh = isFresh;
        this.outcome = outcome;
        this.ended = ended;
    }

    /** Whether the write has not been carried out yet, and the caller is the one to do it. */
    public boolean isFresh() {
        return isFresh;
    }

    /**
     * What the first execution did; completed for writes that are done. Its position is still to be
     * waited for.
     */
    public CompletableFuture<Executed> first() {
        return outcome;
    }

    /**
     * The write has been carried out in memory.
     *
     * @param result what a retry is to be answered
     */
    public void done(Executed result) {
        ended.run();
        outcome.complete(result);
    }

    /**
     * The write was not carried out, and nothing was changed.
     *
     * @param cause why
     */
    public void failed(Throwable cause) {
        ended.run();
        outcome.completeExceptionally(cause);
    }
}
