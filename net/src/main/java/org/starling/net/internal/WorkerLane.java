package org.starling.net.internal;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The tasks of one connection that may run at the same time, on any worker. It stands in the queue
 * of the workers once, however many tasks it has, so that a connection with many slow ones lets
 * those of others come in between. Before a task runs the lane queues up again, so that a task that
 * waits holds nobody back. Its length is bounded by the sender's window. Thread-safe; {@code tasks}
 * and {@code isQueued} are guarded by {@code lock}.
 */
final class WorkerLane implements Runnable {

    private final Executor workers;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean isQueued;

    WorkerLane(Executor workers) {
        this.workers = workers;
    }

    void add(Runnable task) {
        lock.lock();
        try {
            tasks.addLast(task);
            if (isQueued) {
                return;
            }
            isQueued = true;
        } finally {
            lock.unlock();
        }
        workers.execute(this);
    }

    @Override
    public void run() {
        Runnable task;
        boolean hasMore;
        lock.lock();
        try {
            task = tasks.pollFirst();
            hasMore = !tasks.isEmpty();
            isQueued = hasMore;
        } finally {
            lock.unlock();
        }
        if (hasMore) {
            workers.execute(this);
        }
        if (task != null) {
            task.run();
        }
    }
}
