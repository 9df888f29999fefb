package org.starling.compute.internal.run;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps memory from being freed under somebody who works in it: many may be inside at once;
 * shutting waits until all are out and lets nobody in again.
 *
 * <p>Owned by a run or a build. Receiving threads and control threads enter, one control thread
 * shuts. Entering never waits: who comes too late is turned away.
 */
public final class Gate {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** Guarded by {@link #lock}. */
    private boolean shut;

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

    /** Waits until all are out. Those inside must have been told to stop before. */
    public void shut() {
        lock.writeLock().lock();
        try {
            shut = true;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
