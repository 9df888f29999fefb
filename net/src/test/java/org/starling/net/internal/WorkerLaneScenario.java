package org.starling.net.internal;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A lane whose tasks may run at the same time, for Lincheck. */
public abstract class WorkerLaneScenario extends LaneScenario {

    /** The lane itself. */
    public static final class Real extends WorkerLaneScenario {
        private final WorkerLane lane = new WorkerLane(workers());

        @Override
        void add(Runnable task) {
            lane.add(task);
        }

        @Override
        void run() {
            lane.run();
        }
    }

    /** A lane that looks for more tasks after it has let go of the lock. */
    public static final class LooksTooLate extends WorkerLaneScenario {
        private final ReentrantLock lock = new ReentrantLock();
        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private volatile boolean isQueued;

        @Override
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
            workers().execute(task);
        }

        @Override
        void run() {
            Runnable task = next();
            isQueued = !tasks.isEmpty();
            if (isQueued) {
                workers().execute(this::run);
            }
            if (task != null) {
                task.run();
            }
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
