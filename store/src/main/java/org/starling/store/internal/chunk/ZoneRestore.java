package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.headerBytes;
import static org.starling.store.ChunkEntryLayout.payloadAddress;
import static org.starling.store.ChunkEntryLayout.payloadBytes;

import org.starling.net.NativeMemory;

/**
 * Puts chunks back under the ids they had: recovery. Several threads at once, each with ids of its
 * own; nobody else is in the zone but the compactor, which moves chunks while it holds the
 * allocation lock. Nothing is logged. Owned by {@link LocalChunks}.
 */
final class ZoneRestore {
    private final ChunkSpace space;

    ZoneRestore(ChunkSpace space) {
        this.space = space;
    }

    /**
     * Creates or replaces a chunk.
     *
     * @param ids a zone that is being restored
     * @param id chunk id
     * @param from where its payload is; 0 for zeros
     * @param bytes its length
     */
    void restore(IdSpace ids, long id, long from, int bytes) {
        long local = id - ids.firstId;
        if (!exists(ids, local)) {
            long entry = space.restore(ids, local, bytes);
            fill(from, payloadAddress(entry), bytes);
            NativeMemory.putLongRelease(ids.table.entry(local), entry);
            return;
        }
        long address = ids.existing(id);
        long old = IdSpace.lockExisting(address, id);
        int oldBytes = payloadBytes(old);
        if (oldBytes == bytes) {
            fill(from, payloadAddress(old), bytes);
            EntryLock.unlockWrite(address, old);
            return;
        }
        EntryLock.unlockWrite(address, old);
        long fresh = space.allocateBlock(ids, bytes);
        fill(from, payloadAddress(fresh), bytes);
        old = IdSpace.lockExisting(address, id);
        EntryLock.unlockWrite(address, fresh);
        space.freeBlock(ids, payloadAddress(old) - headerBytes(old), oldBytes);
    }

    /**
     * Creates or replaces consecutive chunks, their payload zero. If none of them exists, their
     * blocks lie together.
     */
    void restoreRange(IdSpace ids, long first, Sizes sizes) {
        long local = first - ids.firstId;
        for (int i = 0; i < sizes.count(); i++) {
            if (exists(ids, local + i)) {
                for (int j = 0; j < sizes.count(); j++) {
                    restore(ids, first + j, 0, sizes.bytes(j));
                }
                return;
            }
        }
        space.restoreRange(ids, local, sizes);
    }

    private static boolean exists(IdSpace ids, long local) {
        long address = ids.table.entry(local);
        return address != 0 && payloadAddress(NativeMemory.getLongVolatile(address)) != 0;
    }

    private static void fill(long from, long to, int bytes) {
        if (from == 0) {
            NativeMemory.fill(to, bytes, (byte) 0);
        } else {
            NativeMemory.copy(from, to, bytes);
        }
    }
}
