package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps memory from being freed under somebody who works in it: many may be inside at once;
 * shutting waits until all are out and lets nobody in again.
 *
 * <p>Owned by a run, what prepares one, or a build. Receiving threads and control threads enter,
 * one control thread shuts. Entering never waits: who comes too late is turned away.
 */
public final class Gate {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** Written before the writer waits for those inside, so that nobody follows them. */
    private volatile boolean shut;

    /** True if the caller is inside now and must {@link #leave}; false if the gate is shut. */
    public boolean enter() {
        if (!lock.readLock().tryLock()) {
            return false;
        }
        if (shut) {
            lock.readLock().unlock();
            return false;
        }
        return true;
    }

    /** Goes out again; by the thread that came in. */
    public void leave() {
        lock.readLock().unlock();
    }

    /**
     * Lets nobody in any more and waits until all are out. Those inside must have been told to stop
     * before.
     *
     * @return false if somebody is inside even now: what the gate guards must stay
     */
    public boolean shut(Duration patience) {
        shut = true;
        try {
            if (!lock.writeLock().tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
            lock.writeLock().unlock();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
