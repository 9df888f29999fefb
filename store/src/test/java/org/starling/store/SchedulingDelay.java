package org.starling.store;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures, beside a test that has a time to keep, how late threads of this process run: a thread
 * of its own that wakes up, works a little, and notes how much longer that took than on a quiet
 * machine. Owned by the test that starts it.
 */
final class SchedulingDelay implements AutoCloseable {
    /** Above this a bound in milliseconds says something about the machine, not about the store. */
    private static final Duration QUIET = Duration.ofMillis(50);

    private static final long PAUSE_NANOS = 10_000_000;
    private static final long WORK_NANOS = 1_000_000;

    private final Thread thread;

    /** Published by being volatile; written by the thread alone. */
    private volatile long worstNanos;

    private volatile boolean done;

    SchedulingDelay() {
        thread = Thread.ofPlatform().daemon().name("scheduling-delay").start(this::measure);
    }

    private void measure() {
        while (!done) {
            long before = System.nanoTime();
            LockSupport.parkNanos(PAUSE_NANOS);
            long worked = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - worked
                    < WORK_NANOS) {
                Thread.onSpinWait();
            }
            long late = System.nanoTime() - before - PAUSE_NANOS - WORK_NANOS;
            if (late > worstNanos) {
                worstNanos = late;
            }
        }
    }

    /** Whether every wake-up so far was in time. */
    boolean isQuiet() {
        return worstNanos < QUIET.toNanos();
    }

    @Override
    public String toString() {
        return "threads ran up to "
                + Duration.ofNanos(worstNanos).toMillis()
                + " ms late"
                + (isQuiet() ? ", time checked" : ", time not checked");
    }

    @Override
    public void close() {
        done = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
