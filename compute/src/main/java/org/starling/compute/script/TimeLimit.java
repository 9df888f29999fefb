package org.starling.compute.script;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that one task stops when its time is over: the host is told first, and when the task
 * has not looked after some seconds more its thread is interrupted. A thread of its own waits; the
 * task's thread makes and closes it.
 */
final class TimeLimit implements AutoCloseable {
    /** How long a task may take to notice that it is over. */
    private static final Duration PATIENCE = Duration.ofSeconds(6);

    /** And how long when it was interrupted. */
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

    private final Duration limit;
    private final ScriptHost host;
    private final Consumer<String> stuck;
    private final Thread task = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Guarded by this. */
    private boolean over;

    /** Guarded by this. */
    private boolean closed;

    private TimeLimit(Duration limit, ScriptHost host, Consumer<String> stuck) {
        this.limit = limit;
        this.host = host;
        this.stuck = stuck;
    }

    /**
     * A limit for the task that this thread runs from now on; null is none.
     *
     * @param stuck hears where a task is that does not end
     */
    static TimeLimit start(@Nullable Duration limit, ScriptHost host, Consumer<String> stuck) {
        TimeLimit started = new TimeLimit(limit == null ? Duration.ZERO : limit, host, stuck);
        if (limit != null) {
            Thread.ofVirtual().name("time limit").start(started::watch);
        }
        return started;
    }

    /** Whether the task's time is over. */
    synchronized boolean isOver() {
        return over;
    }

    /** The limit, for people. */
    String text() {
        return TimeSpan.format(limit);
    }

    /** The task has ended; nothing reaches its thread or the host any more. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (over) {
                host.goOn();
                Thread.interrupted(); // ours, if it came
            }
        }
        ended.countDown();
    }

    private void watch() {
        boolean goesOn =
                !hasEndedWithin(limit)
                        && act(host::stopTask)
                        && !hasEndedWithin(PATIENCE)
                        && act(task::interrupt)
                        && !hasEndedWithin(LAST_PATIENCE);
        if (goesOn) {
            StackTraceElement[] frames = task.getStackTrace();
            stuck.accept(
                    "its time limit of %s is over, and it does not stop%s"
                            .formatted(
                                    text(), frames.length == 0 ? "" : ", it is at " + frames[0]));
        }
    }

    private boolean hasEndedWithin(Duration time) {
        try {
            return ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private synchronized boolean act(Runnable action) {
        if (!closed) {
            over = true;
            action.run();
        }
        return !closed;
    }
}
