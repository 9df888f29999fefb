package org.starling.store.internal.chunk;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who still uses the memory of a node: the node itself until it is closed, each pinned range, and
 * whoever frees a closed zone. The last of them to go releases it. Operations are not counted here;
 * the {@link OperationGate} knows of them, and the node's own use ends after they are out. Any
 * thread; costs an atomic operation to begin and one to end.
 */
final class MemoryUse {
    private final Runnable release;

    /** Uses; 0 for good once the memory has been released. */
    private final AtomicInteger uses = new AtomicInteger(1);

    private final AtomicBoolean ownerHasGone = new AtomicBoolean();

    /**
     * In use by its owner.
     *
     * @param release called once, on the thread of the last one to go
     */
    MemoryUse(Runnable release) {
        this.release = release;
    }

    /**
     * Begins a use.
     *
     * @return false if the memory has been released
     */
    boolean tryBegin() {
        int seen = uses.get();
        while (seen > 0) {
            int found = uses.compareAndExchange(seen, seen + 1);
            if (found == seen) {
                return true;
            }
            seen = found;
        }
        return false;
    }

    /** Ends a use that was begun. */
    void end() {
        if (uses.decrementAndGet() == 0) {
            release.run();
        }
    }

    /** Ends the owner's use; once, however often it is called. */
    void endOwners() {
        if (ownerHasGone.compareAndSet(false, true)) {
            end();
        }
    }
}
