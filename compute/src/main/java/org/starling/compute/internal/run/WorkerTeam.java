package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The worker threads of a slave. They do one job at a time, all together, and sleep in between.
 *
 * <p>Owned by the slave; {@link #start} is called by one thread at a time, when the last job is
 * done. A worker that throws ends the job with that exception when all have finished; workers
 * waiting in {@link #barrier} are not left alone, because a job must reach its barriers whatever
 * happens in between (see {@link SlaveRun}).
 */
public final class WorkerTeam implements AutoCloseable {
    /** Packages in which workers wait for others. */
    private static final List<String> WAITING = List.of("org.starling.net.", "org.starling.store.");

    /** Packages whose code is not that of users. */
    private static final List<String> NOT_USERS =
            List.of(
                    "java.",
                    "jdk.",
                    "sun.",
                    "org.starling.graph.",
                    "org.starling.compute.internal.");

    private final List<Thread> threads = new ArrayList<>();
    private final Phaser barrier;
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicLong ticket = new AtomicLong();
    private volatile boolean closed;
    private volatile @Nullable IntConsumer job;
    private volatile @Nullable CompletableFuture<Void> done;
    private volatile AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** Starts so many threads. */
    public WorkerTeam(String name, int size) {
        this.barrier = new Phaser(size);
        for (int i = 0; i < size; i++) {
            int worker = i;
            Thread thread = new Thread(() -> work(worker), name + "-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /** Number of workers. */
    public int size() {
        return threads.size();
    }

    /**
     * Lets every worker call {@code body} with its number. The future completes on the worker that
     * finishes last.
     */
    public CompletableFuture<Void> start(IntConsumer body) {
        if (unfinished.get() != 0) {
            throw new IllegalStateException("the workers are busy");
        }
        CompletableFuture<Void> future = new CompletableFuture<>();
        failure = new AtomicReference<>();
        job = body;
        done = future;
        unfinished.set(threads.size());
        ticket.incrementAndGet();
        threads.forEach(LockSupport::unpark);
        return future;
    }

    /** The same, and waits. */
    public void run(IntConsumer body) {
        start(body).join();
    }

    /** Waits until no job is under way; false if one is even then. */
    public boolean awaitIdle(Duration patience) {
        CompletableFuture<Void> last = done;
        return last == null
                || last.handle((_, _) -> true)
                        .completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
    }

    /**
     * Where a worker is in code of users; empty if none is. Whoever waits there for the network or
     * the store is not, and comes back.
     */
    public Optional<StackTraceElement> placeInUserCode() {
        return threads.stream().flatMap(thread -> placeInUserCode(thread).stream()).findFirst();
    }

    private static Optional<StackTraceElement> placeInUserCode(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            String name = frame.getClassName();
            if (WAITING.stream().anyMatch(name::startsWith)) {
                return Optional.empty();
            }
            if (NOT_USERS.stream().noneMatch(name::startsWith)) {
                return Optional.of(frame);
            }
        }
        return Optional.empty();
    }

    /** Waits until all workers of the job are here. */
    public void barrier() {
        barrier.arriveAndAwaitAdvance();
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(LockSupport::unpark);
    }

    /**
     * Waits, after {@link #close}, until all threads have ended; false if they have not in time.
     */
    public boolean awaitEnd(Duration timeout) {
        try {
            long deadline = System.nanoTime() + timeout.toNanos();
            for (Thread thread : threads) {
                if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void work(int worker) {
        long seen = 0;
        while (true) {
            while (ticket.get() == seen && !closed) {
                LockSupport.park(this);
            }
            if (closed) {
                return;
            }
            seen = ticket.get();
            IntConsumer body = job;
            CompletableFuture<Void> future = done;
            AtomicReference<@Nullable Throwable> failures = failure;
            if (body == null || future == null) {
                throw new IllegalStateException("a ticket without a job");
            }
            try {
                body.accept(worker);
            } catch (Throwable e) { // checked ones, too: generics can hide them
                failures.compareAndSet(null, e);
            }
            if (unfinished.decrementAndGet() == 0) {
                Throwable failed = failures.get();
                if (failed == null) {
                    future.complete(null);
                } else {
                    future.completeExceptionally(failed);
                }
            }
        }
    }
}
