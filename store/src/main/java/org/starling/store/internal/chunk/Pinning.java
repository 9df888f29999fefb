package org.starling.store.internal.chunk;

import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.PinnedRange;

/**
 * Pins ranges and lets them go. A pinned range is a user of the memory, so that it stays readable
 * when its zone or the store is closed meanwhile; the last one of a closed zone to go frees what
 * was left of it. Owned by {@link LocalChunks}; any thread.
 */
final class Pinning {
    private final ChunkSpace space;
    private final MemoryUse memory;

    Pinning(ChunkSpace space, MemoryUse memory) {
        this.space = space;
        this.memory = memory;
    }

    /**
     * Pins a range, inside an operation.
     *
     * @param ids where its chunks are
     * @param first the first chunk id
     * @param count chunks
     * @throws ChunkNotFoundException if one does not exist; nothing is pinned then
     */
    PinnedRange pin(IdSpace ids, long first, int count) {
        long local = first - ids.firstId;
        ids.existing(first);
        ids.existing(first + count - 1);
        if (!memory.tryBegin()) {
            throw new IllegalStateException("the memory was released under an operation");
        }
        boolean isPinned = false;
        try {
            ids.pins.add(local, count);
            isPinned = true;
            awaitNoWriters(ids, local, count);
        } catch (RuntimeException e) { // a chunk is missing, its writer stays, too many pins
            if (isPinned) {
                unpin(ids, local, count);
            } else {
                memory.end();
            }
            throw e;
        }
        long outside = ids.firstId & ChunkId.MAX_LOCAL;
        return new PinnedRange(
                first, count, id -> ids.table.entry(id - outside), () -> unpin(ids, local, count));
    }

    private static void awaitNoWriters(IdSpace ids, long local, int count) {
        for (int i = 0; i < count; i++) {
            if (EntryLock.awaitNoWriter(ids.table.entry(local + i)) == EntryLock.ABSENT) {
                throw new ChunkNotFoundException(ids.firstId + local + i);
            }
        }
    }

    private void unpin(IdSpace ids, long local, int count) {
        ids.pins.remove(local, count);
        if (ids.isRetired() && ids.pins.size() == 0) {
            ids.retire(space);
        }
        memory.end();
    }
}
