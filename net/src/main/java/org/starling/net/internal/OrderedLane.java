package org.starling.net.internal;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other, in the order of their arrival, on workers. Its length is bounded
 * by the sender's window. Thread-safe; {@code tasks} and {@code isScheduled} are guarded by {@code
 * lock}.
 */
final class OrderedLane implements Runnable {

    /** Tasks run before the worker is given to others, as long as they are quick. */
    private static final int BATCH = 256;

    /** After so long the worker is given to others. */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A look at the clock comes once in so many tasks: a power of two. */
    private static final int CLOCK_TASKS = 8;

    private final Executor workers;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean isScheduled;

    OrderedLane(Executor workers) {
        this.workers = workers;
    }

    void add(Runnable task) {
        lock.lock();
        try {
            tasks.addLast(task);
            if (isScheduled) {
                return;
            }
            isScheduled = true;
        } finally {
            lock.unlock();
        }
        workers.execute(this);
    }

    @Override
    public void run() {
        long startNanos = System.nanoTime();
        for (int i = 1; i <= BATCH; i++) {
            Runnable task = next();
            if (task == null) {
                return;
            }
            perform(task);
            if ((i & (CLOCK_TASKS - 1)) == 1 && System.nanoTime() - startNanos > TURN_NANOS) {
                break;
            }
        }
        workers.execute(this);
    }

    /** Goes on behind a task that fails, for which another worker takes this one's place. */
    private void perform(Runnable task) {
        boolean isDone = false;
        try {
            task.run();
            isDone = true;
        } finally {
            if (!isDone) {
                workers.execute(this);
            }
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            Runnable task = tasks.pollFirst();
            if (task == null) {
                isScheduled = false;
            }
            return task;
        } finally {
            lock.unlock();
        }
    }
}
