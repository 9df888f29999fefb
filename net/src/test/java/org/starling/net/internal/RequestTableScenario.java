package org.starling.net.internal;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.starling.net.NetException;

/**
 * Requests that are made, answered, timed out and lost at once, for Lincheck. Each ends once, the
 * table counts those that wait, and none waits in a closed table.
 */
public abstract class RequestTableScenario {

    private static final int MAX_REQUESTS = 16;
    private static final int NODE = 1;
    private static final Duration TIMEOUT = Duration.ofNanos(5);

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();

    /** Element i is written by the thread that drew i. */
    private final CompletableFuture<?>[] futures = new CompletableFuture<?>[MAX_REQUESTS];

    private volatile boolean isClosed;

    /** Makes a request. */
    @Operation
    public void ask() {
        CompletableFuture<?> future;
        try {
            future = add();
        } catch (NetException e) {
            return; // the table is closed
        }
        futures[requests.getAndIncrement()] = future;
    }

    /** The oldest request is answered. */
    @Operation
    public void answer() {
        CompletableFuture<?> waiting = take(answers.get() + 1);
        if (waiting != null) {
            answers.incrementAndGet();
            if (!waiting.cancel(false)) {
                throw new IllegalStateException("a request has ended twice");
            }
        }
    }

    /** The node is lost. */
    @Operation
    public void lose() {
        failAll();
    }

    /** The network is closed. */
    @Operation(runOnce = true)
    public void close() {
        closeTable();
        isClosed = true;
    }

    /** Checks the promise. */
    @Validate
    public void everyRequestEndsOnce() {
        int waiting = 0;
        for (int i = 0; i < requests.get(); i++) {
            waiting += futures[i].isDone() ? 0 : 1;
        }
        if (waiting != size() || (isClosed && waiting > 0)) {
            throw new IllegalStateException(
                    waiting + " wait, the table counts " + size() + ", closed " + isClosed);
        }
    }

    abstract CompletableFuture<?> add();

    abstract @Nullable CompletableFuture<?> take(long correlation);

    abstract void failAll();

    abstract void closeTable();

    abstract int size();

    /** The table itself. */
    public static final class Real extends RequestTableScenario {
        private final RequestTable table = new RequestTable(() -> 0, MAX_REQUESTS, () -> false);

        @Override
        CompletableFuture<?> add() {
            return table.add(NODE, new FrameSamples.Question(1), TIMEOUT);
        }

        @Override
        @Nullable CompletableFuture<?> take(long correlation) {
            return table.take(correlation, NODE);
        }

        @Override
        void failAll() {
            table.failAll(NODE, node -> new NetException("lost"));
        }

        @Override
        void closeTable() {
            table.close();
        }

        @Override
        int size() {
            return table.size();
        }
    }

    /** A table in which two may take one request. */
    public static final class TakesTwice extends RequestTableScenario {
        private final Map<Long, CompletableFuture<?>> pending = new ConcurrentHashMap<>();
        private final AtomicLong last = new AtomicLong();
        private final AtomicInteger count = new AtomicInteger();

        @Override
        CompletableFuture<?> add() {
            CompletableFuture<?> future = new CompletableFuture<>();
            count.incrementAndGet();
            pending.put(last.incrementAndGet(), future);
            return future;
        }

        @Override
        @Nullable CompletableFuture<?> take(long correlation) {
            CompletableFuture<?> future = pending.get(correlation);
            if (future != null) {
                pending.remove(correlation);
                count.decrementAndGet();
            }
            return future;
        }

        @Override
        void failAll() {
            for (long correlation : pending.keySet()) {
                CompletableFuture<?> future = take(correlation);
                if (future != null) {
                    future.completeExceptionally(new NetException("lost"));
                }
            }
        }

        @Override
        void closeTable() {
            failAll();
        }

        @Override
        int size() {
            return count.get();
        }
    }
}
