package org.starling.net.internal;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.net.Message;
import org.starling.net.NetException;
import org.starling.net.Request;
import org.starling.net.RequestTimeoutException;
import org.starling.net.TooManyRequestsException;

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
    private final Waits waits;
    private final RoundTrips roundTrips = new RoundTrips();
    private final Map<Long, PendingRequest<?>> pending = new ConcurrentHashMap<>();

    /** Begins anywhere, as answers to an earlier node of this id may still be under way. */
    private final AtomicLong lastCorrelation =
            new AtomicLong(ThreadLocalRandom.current().nextLong());

    private final AtomicInteger count = new AtomicInteger();

    /** The one noted last, if it still waits; or an older one, or none, where two were at it. */
    private volatile @Nullable PendingRequest<?> newest;

    private volatile long wakeNanos;
    private volatile @Nullable Thread timer;
    private volatile boolean isClosed;

    /**
     * @param waits told by threads that wait for answers
     */
    RequestTable(LongSupplier nanoClock, int limit, Waits waits) {
        this.nanoClock = nanoClock;
        this.limit = limit;
        this.waits = waits;
        this.wakeNanos = nanoClock.getAsLong() + FAR_NANOS;
    }

    /** Starts the timer thread. */
    void start(String threadName) {
        timer = Thread.ofPlatform().daemon().name(threadName).start(this::runTimer);
    }

    /**
     * Notes a request.
     *
     * @throws TooManyRequestsException when the bound is reached
     */
    <R extends Message> PendingRequest<R> add(int node, Request<R> request, Duration timeout) {
        if (isClosed) {
            throw new NetException("the network is closed");
        }
        if (count.incrementAndGet() > limit) {
            count.decrementAndGet();
            throw new TooManyRequestsException(
                    limit
                            + " requests are waiting for answers already, so "
                            + request.type()
                            + " to node "
                            + node
                            + " was not sent");
        }
        long now = nanoClock.getAsLong();
        PendingRequest<R> made =
                new PendingRequest<>(
                        this,
                        lastCorrelation.incrementAndGet(),
                        node,
                        request,
                        now,
                        now + timeout.toNanos());
        pending.put(made.correlation(), made);
        newest = made;
        if (made.deadlineNanos() - wakeNanos < 0) {
            LockSupport.unpark(timer);
        }
        if (isClosed && take(made.correlation(), node) != null) { // close() has not seen it
            made.fail(new NetException("the network is closed"));
        }
        return made;
    }

    /** Takes a request out, if it still waits and {@code node} is the one to answer it. */
    @Nullable PendingRequest<?> take(long correlation, int node) {
        PendingRequest<?> request = waiting(correlation, node);
        return request != null && remove(request) ? request : null;
    }

    @SuppressWarnings("ReferenceEquality") // requests are equal to themselves alone
    private boolean remove(PendingRequest<?> request) {
        if (!pending.remove(request.correlation(), request)) {
            return false;
        }
        count.decrementAndGet();
        if (newest == request) {
            newest = null;
        }
        return true;
    }

    /** The only one that waits, if a thread has made it; it may be passed over. */
    @Nullable PendingRequest<?> only(Thread asker) {
        PendingRequest<?> request = newest;
        return request != null
                        && count.get() == 1
                        && request.asker().equals(asker)
                        && !request.isDone()
                ? request
                : null;
    }

    /** A request that still waits and that {@code node} is to answer. */
    @Nullable PendingRequest<?> waiting(long correlation, int node) {
        PendingRequest<?> request = pending.get(correlation);
        return request != null && request.node() == node ? request : null;
    }

    /** {@link #take} for its answer, on the receiving thread: counts the round trip. */
    @Nullable PendingRequest<?> answered(long correlation, int node) {
        PendingRequest<?> request = take(correlation, node);
        if (request != null) {
            roundTrips.record(nanoClock.getAsLong() - request.startNanos());
        }
        return request;
    }

    /** Takes a request out that its caller has ended; true. */
    boolean forget(PendingRequest<?> request) {
        boolean _ = remove(request);
        return true;
    }

    /** Ends all requests to a node. */
    void failAll(int node, IntFunction<? extends RuntimeException> exception) {
        pending.forEach((correlation, request) -> {
            if (request.node() == node && take(correlation, node) != null) {
                request.fail(exception.apply(node));
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
                request.fail(
                        new RequestTimeoutException(
                                request.node(),
                                "no answer of node %s to %s in %s ms"
                                        .formatted(
                                                request.node(),
                                                request.type(),
                                                TimeUnit.NANOSECONDS.toMillis(
                                                        request.deadlineNanos()
                                                                - request.startNanos()))));
            }
        }
        return next;
    }

    boolean hasRequests(int node) {
        return nodes().anyMatch(waited -> waited == node);
    }

    /** Those that are to answer, each at least once. */
    private IntStream nodes() {
        return pending.values().stream().mapToInt(PendingRequest::node);
    }

    int size() {
        return count.get();
    }

    RoundTrips roundTrips() {
        return roundTrips;
    }

    Waits waits() {
        return waits;
    }

    void close() {
        isClosed = true;
        LockSupport.unpark(timer);
        nodes().distinct()
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
