package org.starling.compute.internal.query;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where a peer does its small jobs: short work on what is in its own memory, on a few threads that
 * take one job after another, in the order in which they came, and steal from one another ({@link
 * ForkJoinPool} in its asynchronous mode); and work that mostly waits for other peers, each on a
 * virtual thread.
 *
 * <p>The threads take no part in the shares that jobs have of the cores: a small job takes
 * microseconds, and whoever sleeps most is let in at once by the operating system. Both kinds are
 * bounded; what comes beyond is refused. Any thread.
 */
final class SmallJobs implements AutoCloseable {
    /** Jobs on own memory that wait or run. */
    static final int MAX_SHORT = 1 << 14;

    /** Jobs that wait for others. */
    static final int MAX_WAITING = 1 << 10;

    private static final int CLOSE_SECONDS = 5;

    private final String name;
    private final ForkJoinPool threads;
    private final AtomicInteger shortOnes = new AtomicInteger();
    private final AtomicInteger waitingOnes = new AtomicInteger();

    /** There was no room for a job. */
    static final class FullException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private FullException(String sentence) {
            super(sentence);
        }
    }

    /**
     * Begins with no threads; they come with jobs and go when there are none.
     *
     * @param parallelism how many short jobs run at once
     */
    SmallJobs(int node, int parallelism) {
        this.name = "small-job-" + node;
        AtomicInteger number = new AtomicInteger();
        this.threads =
                new ForkJoinPool(
                        parallelism,
                        pool -> {
                            ForkJoinWorkerThread thread =
                                    ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                            thread.setName(name + "-" + number.incrementAndGet());
                            return thread;
                        },
                        null,
                        true);
    }

    /** Does short work that never waits. The future fails with what the work throws. */
    <T> CompletableFuture<T> start(Callable<T> work) {
        return begin(shortOnes, MAX_SHORT, work, threads);
    }

    /** Does work that waits for others. The future fails with what the work throws. */
    <T> CompletableFuture<T> startWaiting(Callable<T> work) {
        return begin(
                waitingOnes,
                MAX_WAITING,
                work,
                task -> Thread.ofVirtual().name(name + "-waiting").start(task));
    }

    private static <T> CompletableFuture<T> begin(
            AtomicInteger count, int bound, Callable<T> work, Executor executor) {
        if (count.incrementAndGet() > bound) {
            count.decrementAndGet();
            return CompletableFuture.failedFuture(
                    new FullException(
                            "%d small jobs wait here already; ask again".formatted(bound)));
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    result.complete(work.call());
                } catch (Throwable failed) {
                    result.completeExceptionally(failed);
                } finally {
                    count.decrementAndGet();
                }
            });
        } catch (RejectedExecutionException closed) {
            count.decrementAndGet();
            result.completeExceptionally(
                    new FullException("this peer has closed; ask another one"));
        }
        return result;
    }

    /** Whether nothing more is taken. */
    boolean isClosing() {
        return threads.isShutdown();
    }

    /**
     * Ends the threads when they have done all short jobs that were taken, so that nobody waits for
     * one that never ends; does not wait for jobs that wait for others.
     */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
