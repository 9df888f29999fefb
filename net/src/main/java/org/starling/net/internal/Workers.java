package org.starling.net.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The threads that run ORDERED and WORKER handlers: a pool with a queue. Its size goes up and down
 * between two bounds ({@link WorkerCount}), so that handlers that make requests can't stop each
 * other. Owned by an {@link Messenger}. Thread-safe.
 */
final class Workers implements Executor {

    private static final Logger LOGGER = LogManager.getLogger(Workers.class);
    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long CLOSE_SECONDS = 5;

    private static final Executor LATER =
            CompletableFuture.delayedExecutor(
                    WorkerCount.STALL_NANOS, TimeUnit.NANOSECONDS, Runnable::run);

    /** Marks threads that run handlers. */
    private static final class WorkerThread extends Thread {
        private WorkerThread(Runnable task, String name) {
            super(null, task, name, 0, false);
            setDaemon(true);
        }
    }

    private final ThreadPoolExecutor pool;
    private final AtomicLong failures = new AtomicLong();
    private final WorkerCount count;

    Workers(int nodeId, Limits limits) {
        this(nodeId, limits, LATER);
    }

    /** {@code later} looks after slow handlers; see {@link WorkerCount}. */
    Workers(int nodeId, Limits limits, Executor later) {
        AtomicLong number = new AtomicLong();
        pool =
                new ThreadPoolExecutor(
                        limits.workers(),
                        limits.maxWorkers(), // not reached: the queue is never full
                        KEEP_ALIVE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedTransferQueue<>(),
                        task -> {
                            Thread thread =
                                    new WorkerThread(
                                            task,
                                            "net-worker-%s-%s"
                                                    .formatted(nodeId, number.incrementAndGet()));
                            thread.setUncaughtExceptionHandler(
                                    (failed, failure) -> failed("worker", failure));
                            return thread;
                        });
        pool.allowCoreThreadTimeOut(true);
        count =
                new WorkerCount(
                        limits.workers(),
                        limits.maxWorkers(),
                        new ResizedPool(pool),
                        later,
                        System::nanoTime);
    }

    /** Runs a task soon; drops it when the network is closed. */
    @Override
    public void execute(Runnable task) {
        try {
            pool.execute(task);
            count.watch();
        } catch (RejectedExecutionException e) {
            LOGGER.debug("dropped a task of a closed network", e);
        }
    }

    /**
     * Says that the calling thread is going to wait. If it is a worker, another one may take its
     * place until {@link #resume}, which must follow.
     */
    void await() {
        if (isWorkerThread()) {
            count.await();
        }
    }

    /** The calling thread goes on. */
    void resume() {
        if (isWorkerThread()) {
            count.resume();
        }
    }

    /** Counts and logs what a handler threw. */
    void failed(String where, Throwable failure) {
        failures.incrementAndGet();
        LOGGER.warn("{} failed", where, failure);
    }

    long failures() {
        return failures.get();
    }

    /** Lanes that wait for a worker. */
    long waiting() {
        return pool.getQueue().size();
    }

    /** Workers there are now. */
    int threads() {
        return pool.getPoolSize();
    }

    /** A handler has returned. */
    void finished() {
        count.finished();
    }

    static boolean isWorkerThread() {
        return Thread.currentThread() instanceof WorkerThread;
    }

    void close() {
        pool.shutdownNow();
        if (isWorkerThread()) {
            return;
        }
        try {
            if (!pool.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOGGER.warn("handlers still run {} s after the network was closed", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The pool, whose queue is never full, so that its size is its core size. */
    private record ResizedPool(ThreadPoolExecutor pool) implements WorkerCount.Pool {

        @Override
        public int size() {
            return pool.getCorePoolSize();
        }

        @Override
        public void resize(int size) {
            pool.setCorePoolSize(size);
        }

        @Override
        public boolean isBehind() {
            return !pool.getQueue().isEmpty();
        }

        @Override
        public int active() {
            return pool.getActiveCount();
        }

        @Override
        public boolean isClosed() {
            return pool.isShutdown();
        }
    }
}
