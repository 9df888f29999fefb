package org.starling.net.internal;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An ordered lane, for Lincheck: its tasks run one at a time, those of one thread in their order.
 */
public abstract class OrderedLaneScenario extends LaneScenario {

    private final AtomicBoolean isRunning = new AtomicBoolean();

    /** The thread that added a task; each element is written by one thread. */
    private final long[] adders = new long[MAX_TASKS];

    /** In the order of running; confined to who runs a task. */
    private final int[] done = new int[MAX_TASKS];

    private final AtomicInteger doneCount = new AtomicInteger();

    @Override
    void added(int task) {
        adders[task] = Thread.currentThread().threadId();
    }

    @Override
    void perform(int task) {
        if (!isRunning.compareAndSet(false, true)) {
            throw new IllegalStateException("two tasks run at once");
        }
        done[doneCount.get()] = task;
        doneCount.incrementAndGet();
        isRunning.set(false);
    }

    @Override
    void checkAll() {
        for (int i = 0; i < doneCount.get(); i++) {
            for (int j = 0; j < i; j++) {
                if (adders[done[j]] == adders[done[i]] && done[j] > done[i]) {
                    throw new IllegalStateException(done[j] + " ran before " + done[i]);
                }
            }
        }
    }

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
