package org.starling.store.internal.replica;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.log.EntryLayout;
import org.starling.store.internal.log.EntryWriter;

/**
 * The entries of one zone that not all its backups have yet: the end of its stream. Positions count
 * from 1 over the whole life of the zone. Guarded by the lock of the zone. Appending costs the
 * copy; entries are freed a piece at a time.
 */
final class ZoneStream {
    private final PiecePool pool;
    private final ArrayDeque<StreamPiece> pieces = new ArrayDeque<>();
    private long end;
    private long heldBytes;
    private long appendedBytes;

    ZoneStream(PiecePool pool, long end) {
        this.pool = pool;
        this.end = end;
    }

    /** Position of the last entry. */
    long end() {
        return end;
    }

    /** Bytes of all entries since this node owns the zone. */
    long appendedBytes() {
        return appendedBytes;
    }

    /** Bytes of entries that are kept. */
    long heldBytes() {
        return heldBytes;
    }

    /** A value; see {@link org.starling.store.internal.chunk.ChangeLog#written}. */
    long put(long id, long value, int bytes, WriteTag tag) {
        int index = ChunkId.index(id);
        int length = EntryLayout.putBytes(index, bytes, tag.isPresent());
        StreamPiece tail = pieceFor(length);
        long to = tail.address + tail.usedBytes;
        EntryWriter.put(to, index, value, bytes, tag.client(), tag.sequence());
        return appended(tail, length);
    }

    /** A removed run. */
    long remove(long first, int count, WriteTag tag) {
        int index = ChunkId.index(first);
        int length = EntryLayout.removeBytes(index, count, tag.isPresent());
        StreamPiece tail = pieceFor(length);
        long to = tail.address + tail.usedBytes;
        EntryWriter.remove(to, index, count, tag.client(), tag.sequence());
        return appended(tail, length);
    }

    /** A created run. */
    long create(long first, Sizes sizes, WriteTag tag) {
        int index = ChunkId.index(first);
        int count = sizes.count();
        if (sizes instanceof Sizes.Uniform || count == 1) {
            int length = EntryLayout.createBytes(index, count, tag.isPresent());
            StreamPiece tail = pieceFor(length);
            long to = tail.address + tail.usedBytes;
            EntryWriter.create(to, index, count, sizes.bytes(0), tag.client(), tag.sequence());
            return appended(tail, length);
        }
        int length = EntryLayout.createListedBytes(index, count, tag.isPresent());
        StreamPiece tail = pieceFor(length);
        long to = tail.address + tail.usedBytes;
        long body = to + length - (long) count * Integer.BYTES; // where the record has its sizes
        for (int i = 0; i < count; i++) {
            NativeMemory.putInt(body + (long) i * Integer.BYTES, sizes.bytes(i));
        }
        EntryWriter.createListed(to, index, count, body, tag.client(), tag.sequence());
        return appended(tail, length);
    }

    private StreamPiece pieceFor(int bytes) {
        StreamPiece tail = pieces.peekLast();
        if (tail == null || tail.capacity - tail.usedBytes < bytes) {
            tail = pool.take(end + 1, bytes);
            pieces.addLast(tail);
        }
        return tail;
    }

    private long appended(StreamPiece tail, int bytes) {
        tail.usedBytes += bytes;
        tail.count++;
        heldBytes += bytes;
        appendedBytes += bytes;
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
