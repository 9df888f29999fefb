package org.starling.net.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future that refuses to be waited for on the receiving thread, where the answer would have to
 * come in, runs something before somebody waits for it, and lets another worker take the place of
 * one that waits; so do all that are made from it.
 */
class AnswerFuture<T> extends CompletableFuture<T> {

    private final Waits waits;
    private final Runnable beforeWaiting;

    AnswerFuture(Waits waits) {
        this(waits, () -> {});
    }

    AnswerFuture(Waits waits, Runnable beforeWaiting) {
        this.waits = waits;
        this.beforeWaiting = beforeWaiting;
    }

    @Override
    public final T get() throws InterruptedException, ExecutionException {
        if (!isDone()) {
            beginToWait();
        }
        return getReceived();
    }

    /** As {@link #get()}, for who has tried to receive it already. */
    final T getReceived() throws InterruptedException, ExecutionException {
        if (isDone()) {
            return super.get();
        }
        waits.await();
        try {
            return super.get();
        } finally {
            waits.resume();
        }
    }

    @Override
    public final T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (isDone()) {
            return super.get(timeout, unit);
        }
        beginToWait();
        waits.await();
        try {
            return super.get(timeout, unit);
        } finally {
            waits.resume();
        }
    }

    @Override
    public final T join() {
        if (isDone()) {
            return super.join();
        }
        beginToWait();
        waits.await();
        try {
            return super.join();
        } finally {
            waits.resume();
        }
    }

    @Override
    public final <U> CompletableFuture<U> newIncompleteFuture() {
        return new AnswerFuture<>(waits, beforeWaiting);
    }

    private void beginToWait() {
        if (waits.isReceivingThread()) {
            throw new IllegalStateException(
                    "an INLINE handler must not wait for an answer: the receiving thread would wait"
                            + " for itself; register the handler as WORKER, or go on with"
                            + " thenAccept()");
        }
        beforeWaiting.run();
        waits.receive(this);
    }
}
