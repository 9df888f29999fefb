package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.payloadAddress;
import static org.starling.store.ChunkEntryLayout.payloadBytes;

import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;

/**
 * Reads a chunk, inside of it as a reader. Static functions over the address of its entry, 0 for an
 * id beyond the table; any thread.
 */
final class ChunkReader {
    /** The answer when there is no such chunk. */
    static final int ABSENT = -1;

    private ChunkReader() {}

    /** Length of the payload, or {@link #ABSENT}. */
    static int size(long address) {
        long entry = enter(address);
        if (entry == EntryLock.ABSENT) {
            return ABSENT;
        }
        int bytes = payloadBytes(entry);
        EntryLock.unlockRead(address);
        return bytes;
    }

    /** The payload, or null; {@code id} is for the message if it is longer than the limit. */
    static byte @Nullable [] read(long address, long id, int limitBytes) {
        long entry = enter(address);
        if (entry == EntryLock.ABSENT) {
            return null;
        }
        try {
            int bytes = payloadBytes(entry);
            checkFits(id, bytes, limitBytes);
            byte[] value = new byte[bytes];
            NativeMemory.copyToArray(payloadAddress(entry), value, 0, bytes);
            return value;
        } finally {
            EntryLock.unlockRead(address);
        }
    }

    /** The payload if it is there, not too long, and nobody is to be waited for; else null. */
    static byte @Nullable [] readAtOnce(long address, int limitBytes) {
        long entry = address == 0 ? EntryLock.ABSENT : EntryLock.tryRead(address);
        if (entry == EntryLock.ABSENT || entry == EntryLock.BUSY) {
            return null;
        }
        try {
            int bytes = payloadBytes(entry);
            if (bytes > limitBytes) {
                return null;
            }
            byte[] value = new byte[bytes];
            NativeMemory.copyToArray(payloadAddress(entry), value, 0, bytes);
            return value;
        } finally {
            EntryLock.unlockRead(address);
        }
    }

    /** Copies the payload and returns its length, or {@link #ABSENT}. */
    static int copy(long address, long id, long into, int capacity) {
        long entry = enter(address);
        if (entry == EntryLock.ABSENT) {
            return ABSENT;
        }
        try {
            int bytes = payloadBytes(entry);
            checkFits(id, bytes, capacity);
            NativeMemory.copy(payloadAddress(entry), into, bytes);
            return bytes;
        } finally {
            EntryLock.unlockRead(address);
        }
    }

    private static long enter(long address) {
        return address == 0 ? EntryLock.ABSENT : EntryLock.lockRead(address);
    }

    private static void checkFits(long id, int bytes, int capacity) {
        if (bytes > capacity) {
            throw new IllegalArgumentException(
                    "chunk "
                            + ChunkId.toString(id)
                            + " has "
                            + bytes
                            + " bytes, more than the "
                            + capacity
                            + " that can be taken");
        }
    }
}
