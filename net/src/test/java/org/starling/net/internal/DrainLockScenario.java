package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Threads that publish and then try to consume, for Lincheck. Afterwards nothing published is left
 * behind.
 */
public abstract class DrainLockScenario {

    private final AtomicInteger published = new AtomicInteger();

    /** Guarded by the lock under test. */
    private int consumed;

    /** Publishes one item, consumes all there is if nobody else does. */
    @Operation
    public void publish() {
        published.incrementAndGet();
        boolean isAgain = true;
        while (isAgain && tryLock()) {
            consumed = published.get();
            isAgain = unlock();
        }
    }

    /** Checks the promise. */
    @Validate
    public void nothingIsLeftBehind() {
        if (consumed != published.get()) {
            throw new IllegalStateException(
                    "published " + published.get() + ", consumed " + consumed);
        }
    }

    abstract boolean tryLock();

    abstract boolean unlock();

    /** The lock itself. */
    public static final class Real extends DrainLockScenario {
        private final DrainLock lock = new DrainLock();

        @Override
        boolean tryLock() {
            return lock.tryLock();
        }

        @Override
        boolean unlock() {
            return lock.unlock();
        }
    }

    /**
     * A lock that tells nobody: what is published between the last look and the unlock is left
     * behind.
     */
    public static final class TellsNobody extends DrainLockScenario {
        private final DrainLock lock = new DrainLock();

        @Override
        boolean tryLock() {
            return lock.tryLock();
        }

        @Override
        boolean unlock() {
            lock.unlock();
            return false;
        }
    }
}
