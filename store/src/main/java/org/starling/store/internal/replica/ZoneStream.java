package org.starling.store.internal.replica;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one zone that not all its backups have yet: the end of its stream. Positions count
 * from 1 over the whole life of the zone. Guarded by the lock of the zone. Appending costs the copy;
 * entries are freed a piece at a time.
 */
final class ZoneStream {
    private final PiecePool pool;
    private final ArrayDeque<StreamPiece> pieces = new ArrayDeque<>();
    private long end;
    private long heldBytes;

    ZoneStream(PiecePool pool, long end) {
        this.pool = pool;
        this.end = end;
    }

    /** Position of the last entry. */
    long end() {
        return end;
    }

    /** Bytes of entries that are kept. */
    long heldBytes() {
        return heldBytes;
    }

    /** The piece that takes the next entry, with room for so many bytes. */
    StreamPiece pieceFor(int bytes) {
        StreamPiece tail = pieces.peekLast();
        if (tail == null || tail.capacity - tail.usedBytes < bytes) {
            tail = pool.take(end + 1, bytes);
            pieces.addLast(tail);
        }
        return tail;
    }

    /**
     * Takes the entry that has been written behind the last one of the tail.
     *
     * @return its position
     */
    long appended(StreamPiece tail, int bytes) {
        tail.usedBytes += bytes;
        tail.count++;
        heldBytes += bytes;
        return ++end;
    }

    /** Whether the tail has no room for another entry of usual size. */
    boolean isTailFull() {
        StreamPiece tail = pieces.peekLast();
        return tail != null && tail.usedBytes > tail.capacity - (tail.capacity >> 3);
    }

    /** The piece that holds a position, or null if it is not kept or not yet there. */
    @Nullable StreamPiece pieceOf(long position) {
        for (StreamPiece piece : pieces) {
            if (position >= piece.first && position <= piece.last()) {
                return piece;
            }
        }
        return null;
    }

    /** Position of the oldest entry that is kept; end + 1 if there is none. */
    long firstHeld() {
        StreamPiece head = pieces.peekFirst();
        return head == null ? end + 1 : head.first;
    }

    /** Frees the pieces whose entries are all at or before a position. */
    void release(long position) {
        for (StreamPiece head = pieces.peekFirst();
                head != null && head.last() <= position;
                head = pieces.peekFirst()) {
            pieces.removeFirst();
            heldBytes -= head.usedBytes;
            head.isOut = true;
            free(head);
        }
    }

    /** A user of a piece is done with it. */
    void leave(StreamPiece piece) {
        piece.users--;
        free(piece);
    }

    private void free(StreamPiece piece) {
        if (piece.isOut && piece.users == 0) {
            pool.give(piece);
        }
    }
}
