package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Who reads what comes back over the socket of an outgoing link: the receiving thread, which
 * selects it for that, or, while the link is deferred, the threads that write. One thread at a
 * time; who finds another one at it goes away, as the socket tells the selector of what is left.
 *
 * <p>Nothing is left unread for good: the receiving thread stops selecting only when it finds the
 * turn lent and the link deferred; and whoever ends the deferral, on that thread alone, drains the
 * link there afterwards and takes the turn back.
 *
 * <p>Owned by an {@link EthernetSender}. {@code isReading} says that somebody reads, {@code isLent}
 * that senders do as long as the link is deferred; a sender that is late may lend the turn of a
 * link that is not deferred any more, which is without effect. Costs a compare-and-set per read.
 */
final class ReadTurn {

    private final BooleanSupplier isDeferred;
    private final AtomicBoolean isReading = new AtomicBoolean();
    private volatile boolean isLent;

    /** {@code isDeferred} tells whether the link is left to the receiving thread. */
    ReadTurn(BooleanSupplier isDeferred) {
        this.isDeferred = isDeferred;
    }

    // ---- any thread
    // -------------------------------------------------------------------------------------------

    /** A sender is going to read in the receiving thread's place; false when it must not. */
    boolean tryBorrow() {
        if (!isDeferred.getAsBoolean()) {
            return false;
        }
        isLent = true;
        return true;
    }

    /** Whether the calling thread may read now; {@link #endRead} follows. */
    boolean tryRead() {
        return isReading.compareAndSet(false, true);
    }

    void endRead() {
        isReading.set(false);
    }

    // ---- the receiving thread
    // ---------------------------------------------------------------------------------

    /**
     * Whether what has come is left to the senders, so that the socket need not be selected until
     * {@link #tryTakeBack}.
     */
    boolean isLeftToSenders() {
        if (isLent && isDeferred.getAsBoolean()) {
            return true;
        }
        isLent = false;
        return false;
    }

    /** The receiving thread has drained the link: whether it must select the socket again. */
    boolean tryTakeBack() {
        if (!isLent) {
            return false;
        }
        isLent = false;
        return true;
    }

    /** Lets nobody read any more; waits for who is at it, in a read that doesn't wait. */
    void close() {
        while (!tryRead()) {
            Thread.onSpinWait();
        }
    }
}
