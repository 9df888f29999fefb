package org.starling.store.internal.node;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The threads of one node: one for heartbeats, one for maintenance of the heap and the disk, one
 * for listeners, and on a superpeer one for its agent and one that makes sure that it leads. The
 * only place where this package makes threads. Owned by the node.
 */
final class Threads implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(Threads.class);

    /** Calls of listeners that wait; the rest is dropped and reported. */
    private static final int MAX_WAITING_EVENTS = 1 << 16;

    private static final long MAINTENANCE_END_SECONDS = 10;

    private final String name;
    private final ScheduledExecutorService timer;
    private final ScheduledExecutorService maintenance;
    private final ScheduledExecutorService agent;
    private final ScheduledExecutorService confirmer;
    private final ThreadPoolExecutor events;

    /** Whether a step of the agent waits to be run because it was woken. */
    private final AtomicBoolean isWoken = new AtomicBoolean();

    private volatile boolean closed;

    Threads(int nodeId) {
        name = "store-" + nodeId;
        timer = single("-timer");
        maintenance = single("-maintenance");
        agent = single("-agent");
        confirmer = single("-confirm");
        events =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MAX_WAITING_EVENTS),
                        daemons(name + "-events"),
                        (event, executor) -> dropped(executor));
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    ScheduledExecutorService maintenance() {
        return maintenance;
    }

    ScheduledExecutorService agent() {
        return agent;
    }

    ScheduledExecutorService confirmer() {
        return confirmer;
    }

    /** Runs listeners, one after the other. */
    Executor events() {
        return events;
    }

    /** A step that fails is reported, and does not end the following ones. */
    void every(ScheduledExecutorService executor, Duration interval, Runnable work) {
        Future<?> _ =
                executor.scheduleWithFixedDelay(
                        guarded(work),
                        interval.toNanos(),
                        interval.toNanos(),
                        TimeUnit.NANOSECONDS);
    }

    /** Runs a step of the agent soon; several wishes become one step. */
    void wake(Runnable step) {
        if (closed || !isWoken.compareAndSet(false, true)) {
            return;
        }
        try {
            agent.execute(() -> {
                isWoken.set(false);
                guarded(step).run();
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is closing, so its agent is not woken", name);
        }
    }

    /** A thread that outlives this, for closing the node itself. */
    void detached(String purpose, Runnable work) {
        daemons(name + purpose).newThread(work).start();
    }

    /** Lets nothing begin any more; what runs may be interrupted. */
    void stop() {
        closed = true;
        timer.shutdownNow();
        agent.shutdownNow();
        confirmer.shutdownNow();
        maintenance.shutdown();
    }

    @Override
    public void close() {
        stop();
        events.shutdownNow();
        try {
            if (!maintenance.awaitTermination(MAINTENANCE_END_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("maintenance of {} is still running", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                if (!closed) {
                    LOG.warn("periodic work of {} failed", name, e);
                }
            }
        };
    }

    private ScheduledExecutorService single(String purpose) {
        return Executors.newSingleThreadScheduledExecutor(daemons(name + purpose));
    }

    /**
     * Events of a node that is closing are of no use; otherwise listeners are stuck, and that is
     * said.
     */
    private static void dropped(ThreadPoolExecutor executor) {
        if (!executor.isShutdown()) {
            LOG.error("an event was dropped: {} wait already", MAX_WAITING_EVENTS);
        }
    }

    private static ThreadFactory daemons(String name) {
        return Thread.ofPlatform().daemon().name(name).factory();
    }
}
