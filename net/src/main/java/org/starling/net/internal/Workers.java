package org.starling.net.internal;

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
final class Workers {

    private static final Logger LOGGER = LogManager.getLogger(Workers.class);
    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long CLOSE_SECONDS = 5;

    /** When tasks wait and no handler returns for so long, one more worker helps. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long added workers stay after the last one was added. */
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(5);

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

    // Confined to the receiving thread.
    private int parallelism;
    private long finishedBefore;
    private long lookNanos = System.nanoTime();
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
    void execute(Runnable task) {
        try {
            pool.execute(task);
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

    boolean isBehind() {
        return pool.hasQueuedSubmissions() || pool.getQueuedTaskCount() > 0;
    }

    /**
     * Adds a worker when tasks wait and no handler has returned for a while: those that run are
     * slow, and the others must not wait for them. Takes the added ones away when they were not
     * needed for a while. On the receiving thread, now and then.
     */
    void relieve() {
        long now = System.nanoTime();
        if (now - lookNanos < STALL_NANOS) {
            return;
        }
        lookNanos = now;
        long sum = finished.sum();
        boolean isStalled = sum == finishedBefore && isBehind();
        finishedBefore = sum;
        if (isStalled && parallelism < maxWorkers) {
            parallelism++;
            pool.setParallelism(parallelism);
            execute(() -> {}); // makes the pool look
            reliefNanos = now;
        } else if (parallelism > workers && now - reliefNanos > CALM_NANOS) {
            parallelism = workers;
            pool.setParallelism(workers);
        }
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
}
