package org.starling.net.internal;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other, in the order of their arrival, on workers. Its length is bounded
 * by the sender's window. Thread-safe; {@code tasks} and {@code isScheduled} are guarded by {@code
 * lock}.
 */
final class OrderedLane implements Runnable {

    /** Tasks run before the worker is given to others. */
    private static final int BATCH = 256;

    private final Workers workers;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean isScheduled;

    OrderedLane(Workers workers) {
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
        for (int i = 0; i < BATCH; i++) {
            Runnable task = next();
            if (task == null) {
                return;
            }
            task.run();
        }
        workers.execute(this);
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
