package org.starling.net.internal;

import java.util.concurrent.CompletableFuture;
import org.starling.net.Message;
import org.starling.net.MessageType;

/**
 * A request without an answer.
 *
 * @param node who will answer
 * @param type of the request, for people
 * @param responseType of the answer
 * @param deadlineNanos on the clock of {@link RequestTable}
 * @param future who waits
 */
record PendingRequest<R extends Message>(
        int node,
        MessageType<?> type,
        MessageType<R> responseType,
        long deadlineNanos,
        CompletableFuture<R> future) {}
