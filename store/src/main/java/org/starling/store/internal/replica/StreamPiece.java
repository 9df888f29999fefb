package org.starling.store.internal.replica;

/**
 * Some entries of a zone's stream, one after the other in native memory. Guarded by the lock of the
 * zone; who reads its bytes outside the lock counts as a user, and so keeps it from being freed.
 */
final class StreamPiece {
    final long address;
    final int capacity;

    /** Position of the first entry. */
    final long first;

    int usedBytes;
    int count;

    /** Threads that read it outside the lock. */
    int users;

    /** Set when it is out of the stream; the last user frees it. */
    boolean isOut;

    StreamPiece(long address, int capacity, long first) {
        this.address = address;
        this.capacity = capacity;
        this.first = first;
    }

    /** Position of the last entry; first − 1 while it is empty. */
    long last() {
        return first + count - 1;
    }
}
