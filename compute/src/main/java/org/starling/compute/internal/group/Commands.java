package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.starling.graph.JobCancelledException;
import org.starling.net.Message;

/**
 * Lets a job's commands in on a slave: those of its newest master only, many at once, but alone
 * where graphs come and go.
 *
 * <p>A command of a newer master first stops what older masters' commands do, waits until they are
 * out, and lets go of what they made. Owned by {@link SlaveJob}; any thread.
 */
final class Commands {
    /** Work that may fail in ways that the master should hear of. */
    interface Work<R extends Message> {
        R get() throws java.io.IOException;
    }

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Runnable stopAll;
    private final Runnable forgetAll;
    private final Function<String, RuntimeException> stuck;

    /** The newest master's term; written under the write lock, read under any. */
    private volatile long term;

    /** Whether the job has ended; written under the write lock, read under any. */
    private volatile boolean ended;

    /**
     * Lets in.
     *
     * @param stopAll lets all work stop soon
     * @param forgetAll lets go of all work and graphs, none of which is in use then
     * @param stuck hears of commands that do not come out, and gives what is to be thrown
     */
    Commands(Runnable stopAll, Runnable forgetAll, Function<String, RuntimeException> stuck) {
        this.stopAll = stopAll;
        this.forgetAll = forgetAll;
        this.stuck = stuck;
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
        lockAlone();
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

    /** Does something between commands, whosoever. */
    void between(Runnable work) {
        lockAlone();
        try {
            work.run();
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Lets go of everything when all others are out, and lets nobody in any more. */
    void end(long commandTerm) {
        check(commandTerm);
        stopAll.run();
        lockAlone();
        try {
            check(commandTerm);
            forgetAll.run();
            ended = true;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /**
     * Lets nobody in any more; who is inside must have been told to stop.
     *
     * @return false if somebody is inside even after this time: what is worked in must stay
     */
    boolean shut(Duration patience) {
        try {
            if (!lock.writeLock().tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
            ended = true;
            lock.writeLock().unlock();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether a command is under way. */
    boolean isAnyInside() {
        return lock.getReadLockCount() > 0 || lock.isWriteLocked();
    }

    private void changeMaster(long newTerm) {
        stopAll.run();
        lockAlone();
        try {
            if (newTerm > term && !ended) {
                forgetAll.run();
                term = newTerm; // not before: what could not be let go of must be by the next
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Waits until all others are out, but not for ever. */
    private void lockAlone() {
        try {
            if (lock.writeLock()
                    .tryLock(StuckWork.COMMAND_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobCancelledException("the command was interrupted");
        }
        throw stuck.apply("a command of an earlier job");
    }

    private void check(long commandTerm) {
        if (ended) {
            throw new StaleMasterException("the job has ended");
        }
        if (commandTerm < term) {
            throw new StaleMasterException(commandTerm, term);
        }
    }
}
