package org.starling.net.internal;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.net.Message;
import org.starling.net.NetException;
import org.starling.net.Request;
import org.starling.net.RequestTimeoutException;

/**
 * The requests of this node that wait for an answer, and the timer that ends them. Bounded.
 * Thread-safe.
 *
 * <p>The timer thread sleeps until the earliest deadline it has seen; a request with an earlier one
 * wakes it. So a request costs the timer nothing while all have about the same time-out.
 */
final class RequestTable {

    private static final long FAR_NANOS = Duration.ofDays(1).toNanos();

    private final LongSupplier nanoClock;
    private final int limit;
    private final Map<Long, PendingRequest<?>> pending = new ConcurrentHashMap<>();
    private final AtomicLong lastCorrelation = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();
    private volatile long wakeNanos;
    private volatile @Nullable Thread timer;
    private volatile boolean isClosed;

    RequestTable(LongSupplier nanoClock, int limit) {
        this.nanoClock = nanoClock;
        this.limit = limit;
        this.wakeNanos = nanoClock.getAsLong() + FAR_NANOS;
    }

    /** Starts the timer thread. */
    void start(String threadName) {
        timer = Thread.ofPlatform().daemon().name(threadName).start(this::runTimer);
    }

    /**
     * Notes a request.
     *
     * @return its correlation id
     */
    <R extends Message> long add(
            int node, Request<R> request, Duration timeout, CompletableFuture<R> future) {
        if (count.incrementAndGet() > limit || isClosed) {
            count.decrementAndGet();
            throw new NetException(
                    isClosed
                            ? "the network is closed"
                            : limit + " requests are waiting for answers already");
        }
        long correlation = lastCorrelation.incrementAndGet();
        long deadline = nanoClock.getAsLong() + timeout.toNanos();
        pending.put(
                correlation,
                new PendingRequest<>(
                        node, request.type(), request.responseType(), deadline, future));
        if (deadline - wakeNanos < 0) {
            LockSupport.unpark(timer);
        }
        return correlation;
    }

    /** Takes a request out, if it still waits and {@code node} is the one to answer it. */
    @Nullable PendingRequest<?> take(long correlation, int node) {
        PendingRequest<?> request = pending.get(correlation);
        if (request == null || request.node() != node || !pending.remove(correlation, request)) {
            return null;
        }
        count.decrementAndGet();
        return request;
    }

    /** Ends all requests to a node. */
    void failAll(int node, IntFunction<? extends RuntimeException> exception) {
        pending.forEach((correlation, request) -> {
            if (request.node() == node && take(correlation, node) != null) {
                request.future().completeExceptionally(exception.apply(node));
            }
        });
    }

    /**
     * Ends the requests whose time is over.
     *
     * @return when to come back
     */
    long expire(long nowNanos) {
        long next = nowNanos + FAR_NANOS;
        for (Map.Entry<Long, PendingRequest<?>> entry : pending.entrySet()) {
            PendingRequest<?> request = entry.getValue();
            if (request.deadlineNanos() - nowNanos > 0) {
                next = request.deadlineNanos() - next < 0 ? request.deadlineNanos() : next;
            } else if (take(entry.getKey(), request.node()) != null) {
                request.future()
                        .completeExceptionally(
                                new RequestTimeoutException(
                                        request.node(),
                                        "no answer of node "
                                                + request.node()
                                                + " to "
                                                + request.type()
                                                + " in time"));
            }
        }
        return next;
    }

    boolean hasRequests(int node) {
        return pending.values().stream().anyMatch(request -> request.node() == node);
    }

    int size() {
        return count.get();
    }

    void close() {
        isClosed = true;
        LockSupport.unpark(timer);
        pending.values().stream()
                .mapToInt(PendingRequest::node)
                .distinct()
                .forEach(node -> failAll(node, n -> new NetException("the network is closed")));
    }

    private void runTimer() {
        while (!isClosed) {
            wakeNanos = nanoClock.getAsLong() + FAR_NANOS;
            long next = expire(nanoClock.getAsLong());
            wakeNanos = next;
            LockSupport.parkNanos(this, Math.max(1, next - nanoClock.getAsLong()));
        }
    }
}
