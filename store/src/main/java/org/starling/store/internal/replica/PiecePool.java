package org.starling.store.internal.replica;

import java.util.ArrayDeque;
import org.starling.net.NativeMemory;

/**
 * Native buffers for streams, of one size, kept for reuse up to a bound; longer ones are made and
 * released for one use. Owned by {@link OwnedZones}; thread-safe, guarded by itself. A kept buffer
 * costs a lock to take and to give back.
 */
final class PiecePool implements AutoCloseable {
    /** Buffers kept at most. */
    private static final int MAX_KEPT = 64;

    private final int pieceBytes;
    private final ArrayDeque<Long> kept = new ArrayDeque<>();
    private boolean isClosed;

    PiecePool(int pieceBytes) {
        this.pieceBytes = pieceBytes;
    }

    /** A buffer of at least so many bytes that holds the stream from a position on. */
    StreamPiece take(long first, int bytes) {
        if (bytes > pieceBytes) {
            return new StreamPiece(NativeMemory.reserve(bytes), bytes, first);
        }
        Long address;
        synchronized (this) {
            address = kept.pollLast();
        }
        return new StreamPiece(
                address == null ? NativeMemory.reserve(pieceBytes) : address, pieceBytes, first);
    }

    /** Gives a buffer back. */
    void give(StreamPiece piece) {
        synchronized (this) {
            if (!isClosed && piece.capacity == pieceBytes && kept.size() < MAX_KEPT) {
                kept.addLast(piece.address);
                return;
            }
        }
        NativeMemory.release(piece.address, piece.capacity);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        kept.forEach(address -> NativeMemory.release(address, pieceBytes));
        kept.clear();
    }
}
