package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.NetConfig;
import org.starling.net.NetException;

/**
 * The threads that run ORDERED and WORKER handlers. A worker that waits in a call or for room is
 * made up for by another one, up to a bound, so that handlers that make requests can't stop each
 * other; and so is, after a while, one whose handler is slow in any other way. Owned by an {@link
 * Exchange}.
 */
final class Workers implements Executor {

    private static final Logger LOGGER = LogManager.getLogger(Workers.class);
    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long CLOSE_SECONDS = 5;

    /** When tasks wait and no handler returns for so long, one more worker helps. */
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
    private static final class WorkerThread extends ForkJoinWorkerThread {
        private WorkerThread(ForkJoinPool pool) {
            super(null, pool, true);
        }
    }

    private final ForkJoinPool pool;
    private final AtomicLong failures = new AtomicLong();
    private final LongAdder finished = new LongAdder();
    private final int workers;
    private final int maxWorkers;

    /** Whether a look of {@link #relieve} is to come. */
    private volatile boolean isWatched;

    // Confined to one look after the other, which {@code isWatched} orders.
    private int parallelism;
    private long finishedBefore;
    private long reliefNanos;

    Workers(int nodeId, NetConfig config) {
        this.workers = config.workers();
        this.maxWorkers = config.maxWorkers();
        this.parallelism = workers;
        AtomicLong number = new AtomicLong();
        pool =
                new ForkJoinPool(
                        config.workers(),
                        owner -> {
                            WorkerThread thread = new WorkerThread(owner);
                            thread.setName("net-worker-" + nodeId + "-" + number.incrementAndGet());
                            thread.setDaemon(true);
                            return thread;
                        },
                        (thread, failure) -> failed("worker", failure),
                        true,
                        config.workers(),
                        config.maxWorkers(),
                        config.workers(),
                        saturated -> true,
                        KEEP_ALIVE_SECONDS,
                        TimeUnit.SECONDS);
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

    /** Tasks that wait for a worker. */
    long waiting() {
        return pool.getQueuedSubmissionCount() + pool.getQueuedTaskCount();
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
     * slow, and the others must not wait for them. Takes the added ones away when they have
     * returned and were not needed for a while. One look at a time; the looks end when nothing
     * waits.
     */
    private void relieve() {
        boolean isBehind = waiting() > 0;
        long sum = finished.sum();
        long now = System.nanoTime();
        if (isBehind && sum == finishedBefore && parallelism < maxWorkers) {
            parallelism = Math.min(maxWorkers, parallelism + Math.max(1, parallelism / 2));
            pool.setParallelism(parallelism);
            reliefNanos = now;
        } else if (parallelism > workers
                && now - reliefNanos > CALM_NANOS
                && pool.getActiveThreadCount() <= workers) { // the slow ones have returned
            parallelism = workers;
            pool.setParallelism(workers);
        }
        finishedBefore = sum;
        isWatched = false;
        if (waiting() > 0) { // also what came while this look was still to come
            execute(() -> {}); // makes the pool look, and goes on watching
        }
    }
}
