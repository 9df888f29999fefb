package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.ADDRESS_MASK;

import org.starling.net.NativeMemory;
import org.starling.store.StoreException;

/**
 * Many readers or one writer per chunk, in bits 50..58 of its table entry (see {@link
 * org.starling.store.ChunkEntryLayout}). Static functions over the address of the entry; any
 * thread.
 *
 * <p>A reader adds one to the reader count; a writer waits until the count is 0 and announces
 * itself, so that readers who come later hold back and the writer gets its turn. An entry without
 * address is never locked: whoever finds one learns that the chunk does not exist. A thread never
 * waits for one entry while it is inside of another.
 *
 * <p>Costs two atomic operations per read and one atomic and one ordered write per write.
 */
final class EntryLock {
    /** The answer when there is no such chunk. */
    static final long ABSENT = 0;

    /** The answer of {@link #tryRead} and {@link #tryWrite} when somebody is inside. */
    static final long BUSY = -1;

    /** An id that is being created: not free, and not yet a chunk. */
    static final long RESERVED = 1L << 57;

    private static final long READER = 1L << 50;
    private static final long READERS = 0x7FL << 50;
    private static final long WRITER = 1L << 57;
    private static final long WAITING = 1L << 58;
    private static final long LOCK_BITS = READERS | WRITER | WAITING;

    private EntryLock() {}

    /**
     * Enters as a reader.
     *
     * @return the entry without lock bits, or {@link #ABSENT}
     */
    static long lockRead(long entry) {
        int rounds = 0;
        while (true) {
            long seen = NativeMemory.getLongVolatile(entry);
            if ((seen & ADDRESS_MASK) == 0) {
                return ABSENT;
            }
            boolean mayEnter = (seen & (WRITER | WAITING)) == 0 && (seen & READERS) != READERS;
            if (mayEnter && NativeMemory.compareAndSetLong(entry, seen, seen + READER)) {
                return seen & ~LOCK_BITS;
            }
            if (!mayEnter) {
                rounds = Pause.next(rounds, "a chunk to be readable");
            }
        }
    }

    /**
     * Enters as a reader if that needs no waiting.
     *
     * @return the entry without lock bits, {@link #ABSENT}, or {@link #BUSY}
     */
    static long tryRead(long entry) {
        long seen = NativeMemory.getLongVolatile(entry);
        if ((seen & ADDRESS_MASK) == 0) {
            return ABSENT;
        }
        boolean mayEnter = (seen & (WRITER | WAITING)) == 0 && (seen & READERS) != READERS;
        return mayEnter && NativeMemory.compareAndSetLong(entry, seen, seen + READER)
                ? seen & ~LOCK_BITS
                : BUSY;
    }

    /** Leaves as a reader. */
    static void unlockRead(long entry) {
        NativeMemory.getAndAddLong(entry, -READER);
    }

    /**
     * Enters as the writer.
     *
     * @return the entry without lock bits, or {@link #ABSENT}
     */
    static long lockWrite(long entry) {
        int rounds = 0;
        while (true) {
            long seen = NativeMemory.getLongVolatile(entry);
            if ((seen & ADDRESS_MASK) == 0) {
                return ABSENT;
            }
            if ((seen & (READERS | WRITER)) == 0) {
                long free = seen & ~LOCK_BITS;
                if (NativeMemory.compareAndSetLong(entry, seen, free | WRITER)) {
                    return free;
                }
            } else if ((seen & WAITING) != 0
                    || NativeMemory.compareAndSetLong(entry, seen, seen | WAITING)) {
                rounds = pauseAsWriter(entry, rounds);
            }
        }
    }

    /** Takes the announcement back if it gives up, or readers would be held off for nobody. */
    private static int pauseAsWriter(long entry, int rounds) {
        try {
            return Pause.next(rounds, "a chunk to be writable");
        } catch (StoreException e) {
            // Another writer that waits announces itself again.
            NativeMemory.getAndBitwiseAndLong(entry, ~WAITING);
            throw e;
        }
    }

    /**
     * Enters as the writer if that needs no waiting.
     *
     * @return the entry without lock bits, {@link #ABSENT}, or {@link #BUSY}
     */
    static long tryWrite(long entry) {
        long seen = NativeMemory.getLongVolatile(entry);
        if ((seen & ADDRESS_MASK) == 0) {
            return ABSENT;
        }
        if ((seen & LOCK_BITS) != 0
                || !NativeMemory.compareAndSetLong(entry, seen, seen | WRITER)) {
            return BUSY;
        }
        return seen;
    }

    /**
     * Leaves as the writer.
     *
     * @param entry address of the entry
     * @param value the new entry, without lock bits; 0 makes the id free
     */
    static void unlockWrite(long entry, long value) {
        NativeMemory.putLongRelease(entry, value);
    }

    /**
     * Waits until no writer is inside.
     *
     * @return the entry, perhaps with readers, or {@link #ABSENT}
     */
    static long awaitNoWriter(long entry) {
        int rounds = 0;
        while (true) {
            long seen = NativeMemory.getLongVolatile(entry);
            if ((seen & ADDRESS_MASK) == 0) {
                return ABSENT;
            }
            if ((seen & WRITER) == 0) {
                return seen & ~LOCK_BITS;
            }
            rounds = Pause.next(rounds, "a writer to leave a chunk");
        }
    }
}
