package org.starling.net.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Threads that add tasks to a lane and workers that run it, for Lincheck. Every task runs once, and
 * the lane stands in the queue of the workers once at most, however many tasks it has.
 */
public abstract class LaneScenario {

    static final int MAX_TASKS = 32;

    /** What the lane has asked the workers to run and nobody has begun. */
    private final AtomicInteger scheduled = new AtomicInteger();

    private final AtomicInteger lastTask = new AtomicInteger();

    /** How often each task has run. */
    private final AtomicInteger[] runs = new AtomicInteger[MAX_TASKS];

    /** Adds a task. */
    @Operation
    public void add() {
        int task = lastTask.incrementAndGet();
        runs[task] = new AtomicInteger();
        added(task);
        add(() -> {
            runs[task].incrementAndGet();
            perform(task);
        });
    }

    /** A worker has time. */
    @Operation
    public void work() {
        int waiting = scheduled.get();
        if (waiting > 0 && scheduled.compareAndSet(waiting, waiting - 1)) {
            run();
        }
    }

    /** Checks the promise. */
    @Validate
    public void everyTaskRanOnce() {
        while (scheduled.get() > 0) {
            work();
        }
        for (int task = 1; task <= lastTask.get(); task++) {
            if (runs[task].get() != 1) {
                throw new IllegalStateException(task + " ran " + runs[task] + " times");
            }
        }
        checkAll();
    }

    /** What the lane is given as its workers. */
    final Executor workers() {
        return lane -> {
            if (scheduled.incrementAndGet() > 1) {
                throw new IllegalStateException("the lane queues up twice");
            }
        };
    }

    /** This thread is about to add a task. */
    void added(int task) {}

    /** A task runs. */
    void perform(int task) {}

    /** Checks what more is promised. */
    void checkAll() {}

    abstract void add(Runnable task);

    abstract void run();
}
