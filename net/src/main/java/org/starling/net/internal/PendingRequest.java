package org.starling.net.internal;

import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * A request without an answer, and the future of who waits for it. {@link RequestTable} ends it
 * with the answer, a failure or the time-out, whichever comes first; a caller that cancels or
 * completes it itself takes it out of the table. Thread-safe.
 */
final class PendingRequest<R extends Message> extends AnswerFuture<R> {

    private final RequestTable table;
    private final long correlation;
    private final int node;
    private final Request<R> request;
    private final long startNanos;
    private final long deadlineNanos;
    private final Thread asker = Thread.currentThread();

    /** Times are on the clock of the table. */
    PendingRequest(
            RequestTable table,
            long correlation,
            int node,
            Request<R> request,
            long startNanos,
            long deadlineNanos) {
        super(table.waits());
        this.table = table;
        this.correlation = correlation;
        this.node = node;
        this.request = request;
        this.startNanos = startNanos;
        this.deadlineNanos = deadlineNanos;
    }

    // ---- the table, after taking it out

    void succeed(R answer) {
        super.complete(answer);
    }

    void fail(RuntimeException failure) {
        super.completeExceptionally(failure);
    }

    // ---- the caller

    @Override
    public boolean complete(R value) {
        return super.complete(value) && table.forget(this);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return super.completeExceptionally(failure) && table.forget(this);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean isCancelled = super.cancel(mayInterruptIfRunning);
        table.forget(this);
        return isCancelled;
    }

    // ---- accessors

    long correlation() {
        return correlation;
    }

    int node() {
        return node;
    }

    MessageType<?> type() {
        return request.type();
    }

    MessageType<R> responseType() {
        return request.responseType();
    }

    /** Who has made it. */
    Thread asker() {
        return asker;
    }

    long startNanos() {
        return startNanos;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }
}
