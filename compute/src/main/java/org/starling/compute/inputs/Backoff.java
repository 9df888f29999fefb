package org.starling.compute.inputs;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.starling.graph.JobCancelledException;

/**
 * The waits between tries: each up to twice as long as the one before, and by chance between half
 * of that and all of it, so that many who were refused together do not come back together.
 */
final class Backoff {
    /** Failures in a row with which it is given up. */
    static final int MAX_TRIES = 6;

    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final long STEP_NANOS = Duration.ofMillis(50).toNanos();

    private final RandomGenerator random;
    private final Duration first;

    /**
     * Waits.
     *
     * @param first the longest first one
     */
    Backoff(RandomGenerator random, Duration first) {
        this.random = random;
        this.first = first;
    }

    static Backoff usual() {
        return new Backoff(RandomGenerator.getDefault(), Duration.ofMillis(400));
    }

    /** How long to wait after so many failures in a row. */
    Duration length(int failures) {
        long most = Math.min(LONGEST.toNanos(), first.toNanos() << Math.min(failures - 1, 20));
        return Duration.ofNanos(most / 2 + random.nextLong(most / 2 + 1));
    }

    /**
     * Waits, unless the job ends.
     *
     * @throws JobCancelledException if the thread is interrupted, which it stays
     */
    void await(int failures, InputSpool.Watch watch) {
        long end = System.nanoTime() + length(failures).toNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            watch.checkCancelled();
            if (Thread.currentThread().isInterrupted()) {
                throw new JobCancelledException("interrupted while a server was waited for");
            }
            LockSupport.parkNanos(this, Math.min(left, STEP_NANOS));
        }
    }
}
