package org.starling.net.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What was taken up from a peer and is not done with. Counts it for the sender's window and keeps
 * ORDERED handlers in order, also across a connection that the peer has closed on purpose: its next
 * one goes on with the same backlog.
 *
 * <p>Made with an {@link IncomingLink}; its ordered lane is the peer's and outlives it; {@link
 * Links} keeps it between two connections. {@code takenBytes} is confined to the receiving thread
 * while a link is in place and changed by one link after the other; the rest is atomic or volatile.
 */
final class Backlog {

    private final OrderedLane lane;
    private final WorkerLane workerLane;
    private final AtomicLong doneBytes = new AtomicLong();
    private final AtomicLong heldBytes = new AtomicLong();

    /** Who confirms what is done now; null between two connections. */
    private volatile @Nullable IncomingLink link;

    /** Bytes taken up by connections that are over. */
    private long takenBytes;

    /** Whether the peer was told that some of these are not done with; as {@code takenBytes}. */
    private boolean hasDebt;

    Backlog(OrderedLane lane, Executor workers) {
        this.lane = lane;
        this.workerLane = new WorkerLane(workers);
    }

    /** Where the stream of a connection that begins now starts. */
    long startPosition() {
        return takenBytes;
    }

    /** A connection has a way to confirm what is done. */
    void confirmedBy(IncomingLink next) {
        link = next;
    }

    /** A connection is over after so many bytes; returns how many bytes are not done with. */
    long end(long bytes) {
        link = null;
        takenBytes += bytes;
        long debtBytes = takenBytes - doneBytes.get();
        hasDebt = debtBytes > 0;
        return debtBytes;
    }

    /** Whether the last connection ended with bytes that were not done with. */
    boolean hasDebt() {
        return hasDebt;
    }

    /** Frames of so many bytes are done with. Any thread. */
    long done(long bytes) {
        return bytes == 0 ? doneBytes.get() : doneBytes.addAndGet(bytes);
    }

    /** A large message waits for its handler (positive) or is done with (negative). Any thread. */
    void held(long bytes) {
        heldBytes.addAndGet(bytes);
    }

    long heldBytes() {
        return heldBytes.get();
    }

    OrderedLane lane() {
        return lane;
    }

    WorkerLane workerLane() {
        return workerLane;
    }

    @Nullable IncomingLink link() {
        return link;
    }
}
