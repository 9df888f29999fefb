package org.starling.compute.internal.group;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.starling.net.Message;

/**
 * Lets a slave's commands in: those of the newest master only, many at once, but alone where graphs
 * come and go.
 *
 * <p>A command of a newer master first stops what older masters' commands do, waits until they are
 * out, and lets go of what they made. Owned by {@link SlaveService}; any thread.
 */
final class Commands {
    /** Work that may fail in ways that the master should hear of. */
    interface Work<R extends Message> {
        R get() throws java.io.IOException;
    }

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Runnable stopAll;
    private final Runnable forgetAll;

    /** The newest master's term; written under the write lock, read under any. */
    private volatile long term;

    /**
     * Lets in.
     *
     * @param stopAll lets all work stop soon
     * @param forgetAll lets go of all work and graphs, none of which is in use then
     */
    Commands(Runnable stopAll, Runnable forgetAll) {
        this.stopAll = stopAll;
        this.forgetAll = forgetAll;
    }

    /** Does a command beside others. */
    <R extends Message> R shared(long commandTerm, Work<R> work) throws java.io.IOException {
        if (commandTerm > term) {
            changeMaster(commandTerm);
        }
        lock.readLock().lock();
        try {
            check(commandTerm);
            return work.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Does a command when all others are out. */
    <R extends Message> R alone(long commandTerm, Work<R> work) throws java.io.IOException {
        if (commandTerm > term) {
            changeMaster(commandTerm);
        }
        lock.writeLock().lock();
        try {
            check(commandTerm);
            return work.get();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /**
     * Begins something quick without ever waiting, for receiving threads: a master's first command
     * is none of these.
     */
    void quick(long commandTerm, Runnable begin) {
        if (!lock.readLock().tryLock()) {
            throw new StaleMasterException(commandTerm, term);
        }
        try {
            check(commandTerm);
            begin.run();
        } finally {
            lock.readLock().unlock();
        }
    }

    private void changeMaster(long newTerm) {
        stopAll.run();
        lock.writeLock().lock();
        try {
            if (newTerm > term) {
                term = newTerm;
                forgetAll.run();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void check(long commandTerm) {
        if (commandTerm < term) {
            throw new StaleMasterException(commandTerm, term);
        }
    }
}
