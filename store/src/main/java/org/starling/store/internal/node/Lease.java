package org.starling.store.internal.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;

/**
 * The time until which this node may serve and acknowledge replicated chunks without having heard
 * of the superpeer again. Checked after the work and before the answer. A lease that has run out
 * and is granted again is as good as before: nobody else can have got this node's zones while it
 * was still a member. Any thread; a check costs a look at the clock.
 */
final class Lease {
    private final LongSupplier nanoClock;
    private final long patienceMillis;

    /** Written under the lock, by {@link #grant}; only grows. */
    private volatile long untilNanos;

    /** Set once, under the lock. */
    private volatile boolean isRevoked;

    /** Completed by the next grant; null while nobody waits for it. Guarded by this. */
    private @Nullable CompletableFuture<Void> renewed;

    /**
     * A lease that has run out.
     *
     * @param patience how long an operation waits for a lease that has run out to be granted again
     * @param nanoClock monotonic, also while this process is stopped
     */
    Lease(Duration patience, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        patienceMillis = patience.toMillis();
        untilNanos = nanoClock.getAsLong();
    }

    boolean isValid() {
        return nanoClock.getAsLong() - untilNanos < 0 && !isRevoked;
    }

    /** The superpeer has answered a heartbeat. */
    void grant(long newUntilNanos) {
        @Nullable CompletableFuture<Void> waiting;
        synchronized (this) {
            if (isRevoked || newUntilNanos - untilNanos <= 0) {
                return;
            }
            untilNanos = newUntilNanos;
            waiting = renewed;
            renewed = null;
        }
        letGo(waiting);
    }

    /** This node is no member any more, or closes. */
    void revoke() {
        @Nullable CompletableFuture<Void> waiting;
        synchronized (this) {
            isRevoked = true;
            waiting = renewed;
        }
        letGo(waiting);
    }

    /**
     * Makes sure that what has been done may be answered.
     *
     * @return completed if the lease is valid; else completes when it is granted again, or fails
     *     after the patience or when it is revoked
     */
    CompletableFuture<Void> check() {
        if (isValid()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> next;
        synchronized (this) {
            if (isRevoked) {
                return CompletableFuture.failedFuture(over());
            }
            if (renewed == null) {
                renewed = new CompletableFuture<>();
            }
            next = renewed.copy();
        }
        return next.orTimeout(patienceMillis, TimeUnit.MILLISECONDS)
                // Not on the thread of time-outs, which is that of all of this process: who goes on
                // sends an answer, and may wait for a connection.
                .exceptionallyComposeAsync(
                        failure -> CompletableFuture.failedFuture(over()), Asker.THREADS)
                .thenCompose(done -> check());
    }

    /** On another thread, as a heartbeat's answer comes on the receiving one. */
    private static void letGo(@Nullable CompletableFuture<Void> waiting) {
        if (waiting != null) {
            waiting.completeAsync(() -> null, Asker.THREADS);
        }
    }

    private static StoreException over() {
        return new StoreException(
                "this node has not heard of the superpeer for so long that it may not serve"
                        + " replicated chunks, or it has been declared lost");
    }
}
