package org.starling.store.internal.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.starling.net.Message;
import org.starling.net.Network;
import org.starling.net.Request;
import org.starling.net.RequestTimeoutException;

/**
 * Asks nodes for threads that must not wait: heartbeats, the agent of a superpeer, whoever asks the
 * directory. A network's request waits while a connection is made, and to a node that is cut off
 * that takes seconds, whatever time-out the request has; here a virtual thread waits. Thread-safe.
 */
final class Asker {
    /** Runs what may wait for a connection. */
    static final Executor THREADS =
            task -> {
                Thread _ = Thread.ofVirtual().name("store-ask").start(task);
            };

    private final Network network;

    Asker(Network network) {
        this.network = network;
    }

    /**
     * Asks a node. Never waits.
     *
     * @return its answer; fails with a {@link RequestTimeoutException} when the time is over, be it
     *     with connecting
     */
    <R extends Message> CompletableFuture<R> ask(int node, Request<R> request, Duration timeout) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        THREADS.execute(() -> pass(node, request, timeout, answer));
        return answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure ->
                        CompletableFuture.failedFuture(
                                failure instanceof TimeoutException
                                        ? late(node, timeout)
                                        : failure));
    }

    private <R extends Message> void pass(
            int node, Request<R> request, Duration timeout, CompletableFuture<R> answer) {
        try {
            CompletableFuture<?> _ =
                    network.request(node, request, timeout)
                            .whenComplete((response, failure) -> {
                                if (failure == null) {
                                    answer.complete(response);
                                } else {
                                    answer.completeExceptionally(RemoteChunks.unwrapped(failure));
                                }
                            });
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    private static RequestTimeoutException late(int node, Duration timeout) {
        return new RequestTimeoutException(
                node, "node " + node + " did not answer within " + timeout.toMillis() + " ms");
    }

    /** Sends to a node without an answer. Never waits. */
    void tell(int node, Message message, Consumer<RuntimeException> failed) {
        THREADS.execute(() -> {
            try {
                network.send(node, message);
            } catch (RuntimeException e) {
                failed.accept(e);
            }
        });
    }

    /** Breaks a connection that stands, so that the next question goes over a new one. */
    void connectAnew(int node) {
        network.renew(node);
    }
}
