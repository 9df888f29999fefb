package org.starling.net.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * A future that refuses to be waited for on the receiving thread, where the answer would have to
 * come in; so do all that are made from it.
 */
class AnswerFuture<T> extends CompletableFuture<T> {

    private final BooleanSupplier isReceivingThread;

    AnswerFuture(BooleanSupplier isReceivingThread) {
        this.isReceivingThread = isReceivingThread;
    }

    @Override
    public final T get() throws InterruptedException, ExecutionException {
        refuseToWait();
        return super.get();
    }

    @Override
    public final T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        refuseToWait();
        return super.get(timeout, unit);
    }

    @Override
    public final T join() {
        refuseToWait();
        return super.join();
    }

    @Override
    public final <U> CompletableFuture<U> newIncompleteFuture() {
        return new AnswerFuture<>(isReceivingThread);
    }

    private void refuseToWait() {
        if (!isDone() && isReceivingThread.getAsBoolean()) {
            throw new IllegalStateException(
                    "an INLINE handler must not wait for an answer: the receiving thread would wait"
                            + " for itself; register the handler as WORKER, or go on with"
                            + " thenAccept()");
        }
    }
}
