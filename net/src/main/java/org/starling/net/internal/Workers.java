package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.NetConfig;
import org.starling.net.NetException;

/**
 * The threads that run ORDERED and WORKER handlers: a pool with a queue, whose size goes up and
 * down between two bounds. A worker that says that it waits ({@link #await}) is made up for by
 * another one, so that handlers that make requests can't stop each other; and so is, after a while,
 * one whose handler is slow in any other way. Owned by an {@link Exchange}.
 *
 * <p>Thread-safe. The pool's size is changed under {@code sizing}; {@code finishedBefore} and
 * {@code reliefNanos} are confined to one look of {@link #relieve} after the other, which {@code
 * isWatched} orders.
 */
final class Workers implements Executor {

    private static final Logger LOGGER = LogManager.getLogger(Workers.class);
    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long CLOSE_SECONDS = 5;

    /** When tasks wait and no handler returns for so long, more workers help. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long added workers stay after the last one was added. */
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Executor LATER =
            CompletableFuture.delayedExecutor(STALL_NANOS, TimeUnit.NANOSECONDS, Runnable::run);

    private static final VarHandle WATCHED;

    static {
        try {
            WATCHED =
                    MethodHandles.lookup().findVarHandle(Workers.class, "isWatched", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Marks threads that run handlers. */
    private static final class WorkerThread extends Thread {
        private WorkerThread(Runnable task, String name) {
            super(null, task, name, 0, false);
            setDaemon(true);
        }
    }

    private final ThreadPoolExecutor pool;
    private final AtomicLong failures = new AtomicLong();
    private final LongAdder finished = new LongAdder();
    private final AtomicInteger awaiting = new AtomicInteger();
    private final ReentrantLock sizing = new ReentrantLock();
    private final int workers;
    private final int maxWorkers;

    /** Whether a look of {@link #relieve} is to come. */
    private volatile boolean isWatched;

    private long finishedBefore;
    private volatile long reliefNanos;

    Workers(int nodeId, NetConfig config) {
        this.workers = config.workers();
        this.maxWorkers = config.maxWorkers();
        AtomicLong number = new AtomicLong();
        pool =
                new ThreadPoolExecutor(
                        workers,
                        maxWorkers, // the queue is never full, so the size is the core size
                        KEEP_ALIVE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedTransferQueue<>(),
                        task -> {
                            Thread thread =
                                    new WorkerThread(
                                            task,
                                            "net-worker-" + nodeId + "-" + number.incrementAndGet());
                            thread.setUncaughtExceptionHandler(
                                    (failed, failure) -> failed("worker", failure));
                            return thread;
                        });
        pool.allowCoreThreadTimeOut(true);
    }

    /** Runs a task soon; drops it when the network is closed. */
    @Override
    public void execute(Runnable task) {
        try {
            pool.execute(task);
            watch();
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
            int wanted = Math.min(maxWorkers, workers + awaiting.incrementAndGet());
            if (wanted > pool.getCorePoolSize()) {
                reliefNanos = System.nanoTime();
                grow(wanted);
                watch();
            }
        }
    }

    /** The calling thread goes on. */
    void resume() {
        if (isWorkerThread()) {
            awaiting.decrementAndGet();
        }
    }

    /** Counts and logs what a handler threw. */
    void failed(String where, Throwable failure) {
        failures.incrementAndGet();
        LOGGER.warn("{} failed", where, failure);
    }

    /** Notes that the requester was gone when its answer was ready. */
    void answerLost(NetException loss) {
        LOGGER.debug("an answer has no receiver", loss);
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
        finished.increment();
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

    // ---- relief
    // -----------------------------------------------------------------------------------------------

    /** Looks again in a while, unless that is to come already. */
    private void watch() {
        if (!isWatched && WATCHED.compareAndSet(this, false, true)) {
            LATER.execute(this::relieve);
        }
    }

    /**
     * Adds workers when tasks wait and no handler has returned for a while: those that run are
     * slow, and the others must not wait for them. Takes the added ones away when they were not
     * needed for a while. One look at a time; the looks end when nothing waits and nothing was
     * added.
     */
    private void relieve() {
        boolean isBehind = !pool.getQueue().isEmpty();
        long sum = finished.sum();
        long now = System.nanoTime();
        int size = pool.getCorePoolSize();
        if (isBehind && sum == finishedBefore) {
            reliefNanos = now;
            grow(Math.min(maxWorkers, size + Math.max(1, size / 2)));
        } else if (size > workers
                && now - reliefNanos > CALM_NANOS
                && pool.getActiveCount() <= workers) { // the slow ones have returned
            shrink();
        }
        finishedBefore = sum;
        isWatched = false;
        if (!pool.isShutdown() && (pool.getCorePoolSize() > workers || !pool.getQueue().isEmpty())) {
            watch();
        }
    }

    /** A larger size starts threads for what waits, and for what comes. */
    private void grow(int size) {
        sizing.lock();
        try {
            if (size > pool.getCorePoolSize()) {
                pool.setCorePoolSize(size);
            }
        } finally {
            sizing.unlock();
        }
    }

    private void shrink() {
        sizing.lock();
        try {
            pool.setCorePoolSize(Math.min(maxWorkers, workers + awaiting.get()));
        } finally {
            sizing.unlock();
        }
    }
}
