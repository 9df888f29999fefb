package org.starling.net.internal;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;

/**
 * Threads that add tasks to a lane and workers that run it, for Lincheck. Every task runs once, one
 * at a time, those of one thread in their order.
 */
public abstract class OrderedLaneScenario {

    private static final int MAX_TASKS = 32;

    /** What the lane has asked the workers to run and nobody has begun. */
    private final AtomicInteger scheduled = new AtomicInteger();

    private final AtomicInteger lastTask = new AtomicInteger();
    private final AtomicBoolean isRunning = new AtomicBoolean();

    /** The thread that added a task; each element is written by one thread. */
    private final long[] adders = new long[MAX_TASKS];

    /** In the order of running; confined to who runs a task. */
    private final int[] done = new int[MAX_TASKS];

    private final AtomicInteger doneCount = new AtomicInteger();

    /** Adds a task. */
    @Operation
    public void add() {
        int task = lastTask.incrementAndGet();
        adders[task] = Thread.currentThread().threadId();
        add(() -> perform(task));
    }

    /** A worker has time. */
    @Operation
    public void work() {
        int runs = scheduled.get();
        if (runs > 0 && scheduled.compareAndSet(runs, runs - 1)) {
            run();
        }
    }

    /** Checks the promise. */
    @Validate
    public void everyTaskRanOnceAndInOrder() {
        while (scheduled.get() > 0) {
            work();
        }
        if (doneCount.get() != lastTask.get()) {
            throw new IllegalStateException(lastTask + " added, " + doneCount + " done");
        }
        for (int i = 0; i < doneCount.get(); i++) {
            for (int j = 0; j < i; j++) {
                if (done[j] == done[i]
                        || (adders[done[j]] == adders[done[i]] && done[j] > done[i])) {
                    throw new IllegalStateException(done[j] + " ran before " + done[i]);
                }
            }
        }
    }

    private void perform(int task) {
        if (!isRunning.compareAndSet(false, true)) {
            throw new IllegalStateException("two tasks run at once");
        }
        done[doneCount.get()] = task;
        doneCount.incrementAndGet();
        isRunning.set(false);
    }

    /** What the lane is given as its workers. */
    Executor workers() {
        return lane -> scheduled.incrementAndGet();
    }

    abstract void add(Runnable task);

    abstract void run();

    /** The lane itself. */
    public static final class Real extends OrderedLaneScenario {
        private final OrderedLane lane = new OrderedLane(workers());

        @Override
        void add(Runnable task) {
            lane.add(task);
        }

        @Override
        void run() {
            lane.run();
        }
    }

    /**
     * A lane that finds itself empty under the lock and says so after it: a task added in between
     * is left behind.
     */
    public static final class SaysSoTooLate extends OrderedLaneScenario {
        private final ReentrantLock lock = new ReentrantLock();
        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private volatile boolean isScheduled;

        @Override
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
            workers().execute(task);
        }

        @Override
        void run() {
            for (Runnable task = next(); task != null; task = next()) {
                task.run();
            }
            isScheduled = false;
        }

        private @Nullable Runnable next() {
            lock.lock();
            try {
                return tasks.pollFirst();
            } finally {
                lock.unlock();
            }
        }
    }
}
