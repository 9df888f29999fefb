package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.ADDRESS_MASK;

import org.starling.net.NativeMemory;

/**
 * {@link EntryLock} with one seeded bug: a writer does not wait for the readers that are inside.
 */
final class BuggyEntryLock {
    private static final long READER = 1L << 50;
    private static final long WRITER = 1L << 57;
    private static final long LOCK_BITS = 0x1FFL << 50;

    private BuggyEntryLock() {}

    static long lockRead(long entry) {
        while (true) {
            long seen = NativeMemory.getLongVolatile(entry);
            if ((seen & ADDRESS_MASK) == 0) {
                return EntryLock.ABSENT;
            }
            if ((seen & WRITER) == 0
                    && NativeMemory.compareAndSetLong(entry, seen, seen + READER)) {
                return seen & ~LOCK_BITS;
            }
            Thread.onSpinWait();
        }
    }

    static void unlockRead(long entry) {
        NativeMemory.getAndAddLong(entry, -READER);
    }

    static long lockWrite(long entry) {
        while (true) {
            long seen = NativeMemory.getLongVolatile(entry);
            if ((seen & ADDRESS_MASK) == 0) {
                return EntryLock.ABSENT;
            }
            // the bug: readers are not looked at
            if ((seen & WRITER) == 0
                    && NativeMemory.compareAndSetLong(entry, seen, seen | WRITER)) {
                return seen & ~LOCK_BITS;
            }
            Thread.onSpinWait();
        }
    }

    static void unlockWrite(long entry, long value) {
        while (true) {
            long seen = NativeMemory.getLongVolatile(entry);
            long readers = value == 0 ? 0 : seen & 0x7FL << 50;
            if (NativeMemory.compareAndSetLong(entry, seen, value | readers)) {
                return;
            }
        }
    }
}
