package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that come, run and wait, and the looks of {@link WorkerCount}, for Lincheck. The pool keeps
 * within its bounds; it has a worker for every one that waits, as far as the bound allows; while
 * tasks wait or more workers than usual are there, one look is to come.
 */
public abstract class WorkerCountScenario implements WorkerCount.Pool {

    static final int LEAST = 1;
    static final int MOST = 3;

    private final AtomicInteger waitingTasks = new AtomicInteger();
    private final AtomicInteger busyWorkers = new AtomicInteger();
    private final AtomicInteger awaitingWorkers = new AtomicInteger();
    private final AtomicReference<@Nullable Runnable> look = new AtomicReference<>();
    private final AtomicLong clock = new AtomicLong();
    private volatile int size = LEAST;

    /** A task comes. */
    @Operation
    public void execute() {
        waitingTasks.incrementAndGet();
        watch();
    }

    /** A worker takes a task up. */
    @Operation
    public void begin() {
        if (waitingTasks.get() > 0 && busyWorkers.get() < size) {
            busyWorkers.incrementAndGet();
            waitingTasks.decrementAndGet();
        }
    }

    /** A worker is done with a task. */
    @Operation(nonParallelGroup = "workers that return")
    public void finish() {
        if (busyWorkers.get() > awaitingWorkers.get()) {
            finished();
            busyWorkers.decrementAndGet();
        }
    }

    /** A worker begins to wait. */
    @Operation
    public void startWaiting() {
        awaitingWorkers.incrementAndGet();
        await();
    }

    /** A worker goes on. */
    @Operation(nonParallelGroup = "workers that go on")
    public void stopWaiting() {
        if (awaitingWorkers.get() > 0) {
            awaitingWorkers.decrementAndGet();
            resume();
        }
    }

    /** It is time to look. */
    @Operation
    public void look() {
        Runnable next = look.getAndSet(null);
        if (next != null) {
            next.run();
        }
    }

    /** Checks the promise. */
    @Validate
    public void nobodyWaitsForAWorkerThatNobodyAdds() {
        int wanted = Math.min(MOST, LEAST + awaitingWorkers.get());
        if (size < wanted) {
            throw new IllegalStateException(size + " workers, wanted are " + wanted);
        }
        if (look.get() == null && (waitingTasks.get() > 0 || size > LEAST)) {
            throw new IllegalStateException(
                    waitingTasks + " wait for " + size + " workers, and nobody looks");
        }
    }

    /** There are more workers than are needed. */
    final void haveWaited() {
        await();
        resume();
    }

    // ---- what the count is given
    // ------------------------------------------------------------------------------

    final void later(Runnable next) {
        if (!look.compareAndSet(null, next)) {
            throw new IllegalStateException("two looks are to come");
        }
    }

    /** All is calm at every look. */
    final long clock() {
        return clock.addAndGet(2 * WorkerCount.CALM_NANOS);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void resize(int newSize) {
        if (newSize < LEAST || newSize > MOST) {
            throw new IllegalStateException("resized to " + newSize);
        }
        size = newSize;
    }

    @Override
    public boolean isBehind() {
        return waitingTasks.get() > 0;
    }

    @Override
    public int active() {
        return busyWorkers.get();
    }

    @Override
    public boolean isClosed() {
        return false;
    }

    abstract void watch();

    abstract void await();

    abstract void resume();

    abstract void finished();

    /** The count itself. */
    public static final class Real extends WorkerCountScenario {
        private final WorkerCount count =
                new WorkerCount(LEAST, MOST, this, this::later, this::clock);

        public Real() {
            haveWaited();
        }

        @Override
        void watch() {
            count.watch();
        }

        @Override
        void await() {
            count.await();
        }

        @Override
        void resume() {
            count.resume();
        }

        @Override
        void finished() {
            count.finished();
        }
    }

    /** A count that, when it makes the pool smaller, does not see who has begun to wait since. */
    public static final class ShrinksBlindly extends WorkerCountScenario {
        private final AtomicInteger awaiting = new AtomicInteger();
        private final AtomicBoolean isWatched = new AtomicBoolean();
        private final ReentrantLock sizing = new ReentrantLock();

        public ShrinksBlindly() {
            haveWaited();
        }

        @Override
        void watch() {
            lookSoon();
        }

        @Override
        void await() {
            int wanted = Math.min(MOST, LEAST + awaiting.incrementAndGet());
            if (wanted > size()) {
                resizeLocked(wanted);
                lookSoon();
            }
        }

        @Override
        void resume() {
            awaiting.decrementAndGet();
        }

        @Override
        void finished() {}

        private void lookSoon() {
            if (isWatched.compareAndSet(false, true)) {
                later(this::relieve);
            }
        }

        private void relieve() {
            sizing.lock();
            try {
                resize(Math.min(MOST, LEAST + awaiting.get()));
            } finally {
                sizing.unlock();
            }
            isWatched.set(false);
            if (size() > LEAST || isBehind()) {
                lookSoon();
            }
        }

        private void resizeLocked(int wanted) {
            sizing.lock();
            try {
                resize(Math.max(size(), wanted));
            } finally {
                sizing.unlock();
            }
        }
    }
}
