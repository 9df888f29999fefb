package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.UNLOGGED;
import static org.starling.store.ChunkEntryLayout.headerBytes;
import static org.starling.store.ChunkEntryLayout.payloadAddress;
import static org.starling.store.ChunkEntryLayout.payloadBytes;
import static org.starling.store.internal.chunk.IdSpace.lockExisting;

import org.starling.net.NativeMemory;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;

/**
 * Changes payloads. Each change is logged inside the chunk, as its writer: after the memory has
 * changed and before anybody else can see it. Owned by {@link LocalChunks}; any thread.
 */
final class ChunkWriter {
    private final ChunkSpace space;

    ChunkWriter(ChunkSpace space) {
        this.space = space;
    }

    /** Writes a new payload; {@code old} is the entry so far. */
    @FunctionalInterface
    private interface Fill {
        void fill(long old, long to);
    }

    /** Replaces a value; the length becomes that of the value. */
    long put(IdSpace ids, long id, byte[] value, WriteTag tag) {
        int bytes = value.length;
        long address = ids.existing(id);
        long entry = lockExisting(address, id);
        if (payloadBytes(entry) == bytes) {
            NativeMemory.copyFromArray(value, 0, payloadAddress(entry), bytes);
            return leave(ids, id, address, entry, bytes, tag);
        }
        EntryLock.unlockWrite(address, entry);
        return replace(
                ids, id, bytes, tag, (old, to) -> NativeMemory.copyFromArray(value, 0, to, bytes));
    }

    /** Replaces a value from native memory; the length becomes that of the value. */
    long put(IdSpace ids, long id, long from, int bytes, WriteTag tag) {
        long address = ids.existing(id);
        long entry = lockExisting(address, id);
        if (payloadBytes(entry) == bytes) {
            NativeMemory.copy(from, payloadAddress(entry), bytes);
            return leave(ids, id, address, entry, bytes, tag);
        }
        EntryLock.unlockWrite(address, entry);
        return replace(ids, id, bytes, tag, (old, to) -> NativeMemory.copy(from, to, bytes));
    }

    /**
     * Replaces values of volatile chunks by others of the same length, if that needs no waiting and
     * all chunks are there.
     *
     * @param chunks their ids, each once
     * @return whether that was done; otherwise nothing has changed
     */
    static boolean putAtOnce(IdSpace ids, long[] chunks, byte[][] values) {
        long[] entries = new long[chunks.length];
        int entered = 0;
        try {
            while (entered < chunks.length) {
                long address = ids.table.entry(chunks[entered] - ids.firstId);
                long entry = address == 0 ? EntryLock.ABSENT : EntryLock.tryWrite(address);
                if (entry == EntryLock.ABSENT || entry == EntryLock.BUSY) {
                    return false;
                }
                entries[entered] = entry;
                entered++;
                if (payloadBytes(entry) != values[entered - 1].length) {
                    return false;
                }
            }
            for (int i = 0; i < entered; i++) {
                byte[] value = values[i];
                NativeMemory.copyFromArray(value, 0, payloadAddress(entries[i]), value.length);
            }
            return true;
        } finally {
            for (int i = 0; i < entered; i++) {
                EntryLock.unlockWrite(ids.table.entry(chunks[i] - ids.firstId), entries[i]);
            }
        }
    }

    /** Changes a length; the payload is cut at its end, or zeros are added there. */
    long resize(IdSpace ids, long id, int bytes, WriteTag tag) {
        return replace(
                ids,
                id,
                bytes,
                tag,
                (old, to) ->
                        NativeMemory.copy(
                                payloadAddress(old), to, Math.min(bytes, payloadBytes(old))));
    }

    /**
     * Logs the payloads of chunks as they are.
     *
     * @return position of the last in the log, 0 without one
     * @throws ChunkNotFoundException if one does not exist; those before it are logged
     */
    long logPresent(IdSpace ids, long first, int count) {
        long position = 0;
        if (!ids.isLogged()) {
            return position;
        }
        for (int i = 0; i < count; i++) {
            long id = first + i;
            long address = ids.existing(id);
            long entry = lockExisting(address, id);
            position = leave(ids, id, address, entry, payloadBytes(entry), WriteTag.NONE);
        }
        return position;
    }

    /** Logs a chunk that has been changed in place and leaves it. */
    private static long leave(
            IdSpace ids, long id, long address, long entry, int bytes, WriteTag tag) {
        if (!ids.isLogged()) {
            EntryLock.unlockWrite(address, entry);
            return 0;
        }
        long next = entry;
        try {
            long position = ids.written(id, payloadAddress(entry), bytes, tag);
            next &= ~UNLOGGED;
            return position;
        } finally {
            EntryLock.unlockWrite(address, next);
        }
    }

    /**
     * Gives a chunk another length: allocates first, without a lock, and then swaps the block as
     * the writer. If the log refuses, the old block stays, and the value with it.
     */
    private long replace(IdSpace ids, long id, int bytes, WriteTag tag, Fill fill) {
        long address = ids.existing(id);
        long fresh = space.allocateBlock(ids, bytes);
        long unused = fresh;
        int unusedBytes = bytes;
        try {
            long old = lockExisting(address, id);
            int oldBytes = payloadBytes(old);
            if (oldBytes == bytes) {
                fill.fill(old, payloadAddress(old));
                return leave(ids, id, address, old, bytes, tag);
            }
            long next = old;
            try {
                if (ids.pins.isPinned(id - ids.firstId)) {
                    throw new ChunkPinnedException(id);
                }
                fill.fill(old, payloadAddress(fresh));
                long position = ids.written(id, payloadAddress(fresh), bytes, tag);
                next = fresh;
                unused = old;
                unusedBytes = oldBytes;
                return position;
            } finally {
                EntryLock.unlockWrite(address, next);
            }
        } finally {
            space.freeBlock(ids, payloadAddress(unused) - headerBytes(unused), unusedBytes);
        }
    }
}
