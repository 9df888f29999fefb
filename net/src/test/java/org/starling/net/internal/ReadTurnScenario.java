package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Senders and the receiving thread, who read one socket in turns, for Lincheck; as {@link
 * EthernetSender} does it. Two never read at once, nobody reads what is freed, and when the burst
 * is over and the receiving thread has handled what its selector shows, nothing is left unread.
 */
public abstract class ReadTurnScenario {

    final AtomicBoolean isDeferred = new AtomicBoolean();
    private final AtomicInteger arrived = new AtomicInteger();

    /** Guarded by the turn. */
    private int read;

    /** Written with the turn, which is kept. */
    private volatile boolean isFreed;

    /** Confined to the receiving thread. */
    private boolean isSelected = true;

    /** The peer confirms something, and a sender who has written in a burst reads along. */
    @Operation
    public void confirmAndReadAlong() {
        arrived.incrementAndGet();
        readAlong();
    }

    /** A burst begins; what it brings has not come yet. */
    @Operation
    public void defer() {
        isDeferred.set(true);
        readAlong();
    }

    /** The receiving thread finds that the socket can be read. */
    @Operation(nonParallelGroup = "receiving thread")
    public void select() {
        if (!isSelected || isFreed || read == arrived.get()) {
            return;
        }
        if (isLeftToSenders()) {
            isSelected = false;
        } else {
            readIfNobodyDoes();
        }
    }

    /** The burst is over; the receiving thread drains the link. */
    @Operation(nonParallelGroup = "receiving thread")
    public void endDeferral() {
        isDeferred.set(false);
        if (tryTakeBack() && !isFreed) {
            isSelected = true;
            readIfNobodyDoes();
        }
    }

    /** The connection is over. */
    @Operation(runOnce = true, nonParallelGroup = "receiving thread")
    public void free() {
        close();
        isFreed = true;
    }

    /** Checks the promise. */
    @Validate
    public void nothingIsLeftUnread() {
        if (isDeferred.get()) {
            endDeferral();
        }
        select();
        if (!isFreed && read != arrived.get()) {
            throw new IllegalStateException("read " + read + " of " + arrived.get());
        }
    }

    private void readAlong() {
        if (tryBorrow()) {
            readIfNobodyDoes();
        }
    }

    private void readIfNobodyDoes() {
        if (!tryRead()) {
            return;
        }
        if (isFreed) {
            throw new IllegalStateException("reads what is freed");
        }
        int before = read;
        int now = arrived.get();
        if (read != before) {
            throw new IllegalStateException("two threads read at once");
        }
        read = now;
        if (isFreed) {
            throw new IllegalStateException("freed under a reader");
        }
        endRead();
    }

    abstract boolean tryBorrow();

    abstract boolean tryRead();

    abstract void endRead();

    abstract boolean isLeftToSenders();

    abstract boolean tryTakeBack();

    abstract void close();

    /** The turn itself. */
    public static class Real extends ReadTurnScenario {
        final ReadTurn turn = new ReadTurn(isDeferred::get);

        @Override
        boolean tryBorrow() {
            return turn.tryBorrow();
        }

        @Override
        boolean tryRead() {
            return turn.tryRead();
        }

        @Override
        void endRead() {
            turn.endRead();
        }

        @Override
        boolean isLeftToSenders() {
            return turn.isLeftToSenders();
        }

        @Override
        boolean tryTakeBack() {
            return turn.tryTakeBack();
        }

        @Override
        void close() {
            turn.close();
        }
    }

    /** Stops selecting because a sender said so, though the deferral may have ended. */
    public static final class BelievesTheMark extends Real {
        private volatile boolean isLent;

        @Override
        boolean tryBorrow() {
            if (!isDeferred.get()) {
                return false;
            }
            isLent = true;
            return true;
        }

        @Override
        boolean isLeftToSenders() {
            return isLent;
        }

        @Override
        boolean tryTakeBack() {
            boolean wasLent = isLent;
            isLent = false;
            return wasLent;
        }
    }

    /** Frees the socket's memory while somebody may read into it. */
    public static final class ClosesBlindly extends Real {
        @Override
        void close() {
            turn.tryRead();
        }
    }
}
