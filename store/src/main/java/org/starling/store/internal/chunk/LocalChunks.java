package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.headerBytes;
import static org.starling.store.ChunkEntryLayout.payloadAddress;
import static org.starling.store.ChunkEntryLayout.payloadBytes;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;
import org.starling.store.StoreStatistics;

/**
 * The chunks that one node holds: create, read, write, remove, pin, all on native memory of this
 * process. Owned by the node; any thread. Each operation enters a chunk as reader or writer (see
 * {@link EntryLock}), so operations on one chunk take effect one after the other, and operations on
 * different chunks run side by side. Ids are checked against the table, so an id that was forged or
 * has become stale meets {@link ChunkNotFoundException} and never foreign memory.
 *
 * <p>A get or put costs four atomic operations and the copy.
 */
public final class LocalChunks implements AutoCloseable {
    private final int nodeId;
    private final ChunkSpace space;
    private final ChunkTable table;
    private final Pins pins;
    private final OperationGate gate = new OperationGate();

    /** Set when the memory has been released; it is released once. */
    private final AtomicBoolean released = new AtomicBoolean();

    private volatile boolean closed;

    /**
     * An empty store.
     *
     * @param nodeId the creator in the ids of its chunks
     * @param heapBytes the most bytes of blocks it holds
     */
    public LocalChunks(int nodeId, long heapBytes) {
        this.nodeId = nodeId;
        space = new ChunkSpace(heapBytes);
        table = space.table();
        pins = space.pins();
    }

    // life cycle

    /** Refuses all operations from now on; what is pinned stays readable. */
    public void stop() {
        gate.close();
    }

    /**
     * Waits for operations under way and releases the memory, at the latest when the last pinned
     * range is closed.
     */
    @Override
    public void close() {
        gate.close();
        gate.awaitEmpty();
        closed = true;
        releaseIfUnused();
    }

    /** Work that is due from time to time: compacting the heap if it pays. */
    public void maintain() {
        int ticket = gate.enter();
        try {
            space.maintain();
        } finally {
            gate.leave(ticket);
        }
    }

    /** Compacts the heap as far as one pass goes, whether it pays or not. */
    public void compact() {
        int ticket = gate.enter();
        try {
            space.compact();
        } finally {
            gate.leave(ticket);
        }
    }

    // create

    /**
     * Creates a chunk; its payload is zero.
     *
     * @param bytes length
     * @return its id
     */
    public long create(int bytes) {
        int ticket = gate.enter();
        try {
            return ChunkId.of(nodeId, space.create(bytes));
        } finally {
            gate.leave(ticket);
        }
    }

    /**
     * Creates a range, all or nothing; payloads are zero.
     *
     * @param sizes lengths
     * @return id of the first
     */
    public long createRange(Sizes sizes) {
        int ticket = gate.enter();
        try {
            return ChunkId.of(nodeId, space.create(sizes));
        } finally {
            gate.leave(ticket);
        }
    }

    // read

    /**
     * Length of a chunk.
     *
     * @param id chunk id
     * @return bytes, or −1 if there is no such chunk
     */
    public int sizeOrAbsent(long id) {
        int ticket = gate.enter();
        try {
            long address = entryOf(id);
            long entry = address == 0 ? EntryLock.ABSENT : EntryLock.lockRead(address);
            if (entry == EntryLock.ABSENT) {
                return -1;
            }
            int bytes = payloadBytes(entry);
            EntryLock.unlockRead(address);
            return bytes;
        } finally {
            gate.leave(ticket);
        }
    }

    /**
     * Reads a chunk.
     *
     * @param id chunk id
     * @return its payload, or null if there is no such chunk
     */
    public byte @Nullable [] getOrNull(long id) {
        return getUpTo(id, Integer.MAX_VALUE);
    }

    /**
     * Reads a chunk.
     *
     * @param id chunk id
     * @return its payload
     */
    public byte[] get(long id) {
        byte[] value = getUpTo(id, Integer.MAX_VALUE);
        if (value == null) {
            throw new ChunkNotFoundException(id);
        }
        return value;
    }

    /**
     * Reads a chunk, if it is not too long.
     *
     * @param id chunk id
     * @param limitBytes the longest payload that may be read
     * @return its payload, or null if there is no such chunk
     * @throws IllegalArgumentException if it is longer
     */
    public byte @Nullable [] getUpTo(long id, int limitBytes) {
        int ticket = gate.enter();
        try {
            long address = entryOf(id);
            long entry = address == 0 ? EntryLock.ABSENT : EntryLock.lockRead(address);
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
        } finally {
            gate.leave(ticket);
        }
    }

    /**
     * Reads a chunk into native memory.
     *
     * @param id chunk id
     * @param into where to
     * @param capacity bytes there
     * @return bytes of the payload, or −1 if there is no such chunk
     * @throws IllegalArgumentException if the payload is longer than the capacity
     */
    public int getOrAbsent(long id, long into, int capacity) {
        int ticket = gate.enter();
        try {
            long address = entryOf(id);
            long entry = address == 0 ? EntryLock.ABSENT : EntryLock.lockRead(address);
            if (entry == EntryLock.ABSENT) {
                return -1;
            }
            try {
                int bytes = payloadBytes(entry);
                checkFits(id, bytes, capacity);
                NativeMemory.copy(payloadAddress(entry), into, bytes);
                return bytes;
            } finally {
                EntryLock.unlockRead(address);
            }
        } finally {
            gate.leave(ticket);
        }
    }

    // write

    /**
     * Replaces a value; the length becomes that of the value.
     *
     * @param id chunk id
     * @param value the new payload
     */
    public void put(long id, byte[] value) {
        int bytes = value.length;
        int ticket = gate.enter();
        try {
            long address = existing(id);
            long entry = lockExisting(address, id);
            if (payloadBytes(entry) == bytes) {
                NativeMemory.copyFromArray(value, 0, payloadAddress(entry), bytes);
                EntryLock.unlockWrite(address, entry);
                return;
            }
            EntryLock.unlockWrite(address, entry);
            replace(
                    id,
                    address,
                    bytes,
                    (old, to) -> NativeMemory.copyFromArray(value, 0, to, bytes));
        } finally {
            gate.leave(ticket);
        }
    }

    /**
     * Replaces a value from native memory; the length becomes that of the value.
     *
     * @param id chunk id
     * @param from where the value is
     * @param bytes its length
     */
    public void put(long id, long from, int bytes) {
        checkLength(bytes);
        int ticket = gate.enter();
        try {
            long address = existing(id);
            long entry = lockExisting(address, id);
            if (payloadBytes(entry) == bytes) {
                NativeMemory.copy(from, payloadAddress(entry), bytes);
                EntryLock.unlockWrite(address, entry);
                return;
            }
            EntryLock.unlockWrite(address, entry);
            replace(id, address, bytes, (old, to) -> NativeMemory.copy(from, to, bytes));
        } finally {
            gate.leave(ticket);
        }
    }

    /**
     * Changes a length; the payload is cut at its end, or zeros are added there.
     *
     * @param id chunk id
     * @param bytes new length
     */
    public void resize(long id, int bytes) {
        checkLength(bytes);
        int ticket = gate.enter();
        try {
            replace(
                    id,
                    existing(id),
                    bytes,
                    (old, to) ->
                            NativeMemory.copy(
                                    payloadAddress(old), to, Math.min(bytes, payloadBytes(old))));
        } finally {
            gate.leave(ticket);
        }
    }

    /**
     * Removes a chunk.
     *
     * @param id chunk id
     */
    public void remove(long id) {
        if (removeRange(id, 1) == 0) {
            throw new ChunkNotFoundException(id);
        }
    }

    /**
     * Removes the chunks of a range; ids without a chunk are passed over. Blocks that lie together
     * are freed together.
     *
     * @param first the first chunk id
     * @param count ids, at least 1
     * @return chunks removed
     * @throws ChunkPinnedException if one is pinned; those before it are removed
     */
    public int removeRange(long first, int count) {
        checkRange(first, count);
        int ticket = gate.enter();
        RemovedRun run = new RemovedRun(space);
        try {
            long local = ChunkId.local(first);
            for (int i = 0; i < count; i++) {
                long address = entryOf(first + i);
                long entry = address == 0 ? EntryLock.ABSENT : EntryLock.lockWrite(address);
                if (entry == EntryLock.ABSENT) {
                    continue;
                }
                if (pins.isPinned(local + i)) {
                    EntryLock.unlockWrite(address, entry);
                    throw new ChunkPinnedException(first + i);
                }
                int bytes = payloadBytes(entry);
                // From here on the id can be found free and given to a new chunk; this thread is
                // done with its entry.
                EntryLock.unlockWrite(address, 0);
                run.add(
                        local + i,
                        payloadAddress(entry) - headerBytes(entry),
                        bytes,
                        headerBytes(entry));
            }
        } finally {
            run.flush();
            gate.leave(ticket);
        }
        return run.removed();
    }

    // zones

    /**
     * Opens an empty zone for operations.
     *
     * @param zone zone id, of any creator
     * @param log takes its changes
     */
    public void openZone(long zone, ChangeLog log) {
        throw new UnsupportedOperationException();
    }

    public void attachLog(long zone, ChangeLog log) {
        throw new UnsupportedOperationException();
    }

    public void closeZone(long zone) {
        throw new UnsupportedOperationException();
    }

    public boolean hasZone(long zone) {
        throw new UnsupportedOperationException();
    }

    public long[] zones() {
        throw new UnsupportedOperationException();
    }

    public long zoneBytes(long zone) {
        throw new UnsupportedOperationException();
    }

    public Created create(long zone, Sizes sizes, WriteTag tag) {
        throw new UnsupportedOperationException();
    }

    public long put(long id, byte[] value, WriteTag tag) {
        throw new UnsupportedOperationException();
    }

    public long put(long id, long from, int bytes, WriteTag tag) {
        throw new UnsupportedOperationException();
    }

    public long resize(long id, int bytes, WriteTag tag) {
        throw new UnsupportedOperationException();
    }

    public long remove(long id, WriteTag tag) {
        throw new UnsupportedOperationException();
    }

    public Removed removeRange(long first, int count, WriteTag tag) {
        throw new UnsupportedOperationException();
    }

    public long logPresent(long first, int count) {
        throw new UnsupportedOperationException();
    }

    public void restore(long id, long from, int bytes) {
        throw new UnsupportedOperationException();
    }

    public void restoreRange(long first, Sizes sizes) {
        throw new UnsupportedOperationException();
    }

    public void forEach(long zone, ChunkVisitor visitor) {
        throw new UnsupportedOperationException();
    }

    // pin

    /**
     * Pins a range: none of its chunks is moved, resized or removed until it is closed.
     *
     * @param first the first chunk id
     * @param count chunks, at least 1
     * @return the pinned range
     * @throws ChunkNotFoundException if one does not exist; nothing is pinned then
     */
    public PinnedRange pin(long first, int count) {
        checkRange(first, count);
        int ticket = gate.enter();
        try {
            long local = ChunkId.local(first);
            existing(first);
            existing(first + count - 1);
            pins.add(local, count);
            for (int i = 0; i < count; i++) {
                if (EntryLock.awaitNoWriter(table.entry(local + i)) == EntryLock.ABSENT) {
                    pins.remove(local, count);
                    throw new ChunkNotFoundException(first + i);
                }
            }
            return new PinnedRange(first, count, table::entry, () -> unpin(local, count));
        } finally {
            gate.leave(ticket);
        }
    }

    // accessors

    /** The creator in the ids of the chunks made here. */
    public int nodeId() {
        return nodeId;
    }

    /** What is in use now. */
    public StoreStatistics statistics() {
        return space.statistics();
    }

    // private

    /** Writes a new payload; {@code old} is the entry so far. */
    @FunctionalInterface
    private interface Fill {
        void fill(long old, long to);
    }

    /**
     * Gives a chunk another length: allocates first, without a lock, and then swaps the block as
     * the writer.
     */
    private void replace(long id, long address, int bytes, Fill fill) {
        long fresh = space.allocateBlock(bytes);
        long unused = fresh;
        int unusedBytes = bytes;
        try {
            long old = lockExisting(address, id);
            int oldBytes = payloadBytes(old);
            if (oldBytes == bytes) {
                fill.fill(old, payloadAddress(old));
                EntryLock.unlockWrite(address, old);
            } else if (pins.isPinned(ChunkId.local(id))) {
                EntryLock.unlockWrite(address, old);
                throw new ChunkPinnedException(id);
            } else {
                fill.fill(old, payloadAddress(fresh));
                EntryLock.unlockWrite(address, fresh);
                unused = old;
                unusedBytes = oldBytes;
            }
        } finally {
            space.freeBlock(payloadAddress(unused) - headerBytes(unused), unusedBytes);
        }
    }

    private long lockExisting(long address, long id) {
        long entry = EntryLock.lockWrite(address);
        if (entry == EntryLock.ABSENT) {
            throw new ChunkNotFoundException(id);
        }
        return entry;
    }

    private long existing(long id) {
        long address = entryOf(id);
        if (address == 0) {
            throw new ChunkNotFoundException(id);
        }
        return address;
    }

    private long entryOf(long id) {
        return ChunkId.creator(id) == nodeId ? table.entry(ChunkId.local(id)) : 0;
    }

    private void unpin(long local, int count) {
        pins.remove(local, count);
        if (closed) {
            releaseIfUnused();
        }
    }

    private void releaseIfUnused() {
        if (pins.size() == 0 && released.compareAndSet(false, true)) {
            space.close();
        }
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

    private static void checkLength(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("length " + bytes + " is negative");
        }
    }

    private static void checkRange(long first, int count) {
        if (count < 1 || ChunkId.local(first) + count - 1 > ChunkId.MAX_LOCAL) {
            throw new StoreException(
                    "no range: "
                            + count
                            + " ids from "
                            + ChunkId.toString(first)
                            + " on (at least 1, one creator)");
        }
    }
}
