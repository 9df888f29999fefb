package org.starling.store.internal.chunk;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
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
 * <p>Volatile ids of this node are always here. Replicated ids are here by zones, of this node or
 * of others, once a zone has been opened ({@link ZoneStore}); each change in a zone is handed to
 * the zone's {@link ChangeLog} inside the changed chunk. What is written without a tag is logged
 * under {@link WriteTag#NONE}.
 *
 * <p>A get or put costs four atomic operations and the copy.
 */
public final class LocalChunks implements ZoneStore, AutoCloseable {
    private final int nodeId;

    /** What ids of the volatile space have in their upper 17 bits. */
    private final long volatilePrefix;

    private final ChunkSpace space;
    private final IdSpace flat;
    private final ChunkTable flatTable;
    private final ChunkWriter writer;
    private final ZoneRestore restore;
    private final OperationGate gate = new OperationGate();

    /** The zones; tests free them without counting as a user of the memory. */
    final Zones zones;

    /** Used by this, by pinned ranges of all spaces, and while closed zones are freed. */
    private final MemoryUse memory;

    /**
     * An empty store.
     *
     * @param nodeId the creator in the ids of its chunks
     * @param heapBytes the most bytes of blocks it holds
     */
    public LocalChunks(int nodeId, long heapBytes) {
        this.nodeId = nodeId;
        flat = IdSpace.ofVolatile(nodeId);
        flatTable = flat.table;
        volatilePrefix = flat.firstId >>> IdSpace.VOLATILE_BITS;
        space = new ChunkSpace(heapBytes);
        space.adopt(flat);
        writer = new ChunkWriter(space);
        restore = new ZoneRestore(space);
        memory = new MemoryUse(space::close);
        zones = new Zones(space, gate);
    }

    // life cycle

    /** Refuses all operations from now on; what is pinned stays readable. */
    public void stop() {
        gate.close();
    }

    /** Whether {@link #stop} or {@link #close} has been called. */
    public boolean isStopped() {
        return gate.isClosed();
    }

    /**
     * Waits for operations under way and releases the memory, or leaves that to the last pinned
     * range and to whoever is freeing a zone.
     */
    @Override
    public void close() {
        gate.close();
        gate.awaitEmpty();
        memory.endOwners();
    }

    /**
     * Work that is due from time to time: freeing zones for which nobody else has done it, and
     * compacting the heap if it pays.
     */
    public void maintain() {
        freeClosedZones();
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
     * Creates a volatile chunk; its payload is zero.
     *
     * @param bytes length
     * @return its id
     */
    public long create(int bytes) {
        int ticket = gate.enter();
        try {
            return flat.firstId + space.create(flat, bytes);
        } finally {
            gate.leave(ticket);
        }
    }

    /**
     * Creates a volatile range, all or nothing; payloads are zero.
     *
     * @param sizes lengths
     * @return id of the first
     */
    public long createRange(Sizes sizes) {
        int ticket = gate.enter();
        try {
            return space.create(flat, sizes, WriteTag.NONE).first();
        } finally {
            gate.leave(ticket);
        }
    }

    @Override
    public Created create(long zone, Sizes sizes, WriteTag tag) {
        int ticket = gate.enter();
        try {
            IdSpace ids = zones.find(zone);
            if (ids == null) {
                throw zones.notHeld(zone);
            }
            return space.create(ids, sizes, tag);
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
            return ChunkReader.size(entryOf(id));
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
            return ChunkReader.read(entryOf(id), id, limitBytes);
        } finally {
            gate.leave(ticket);
        }
    }

    /**
     * Reads a chunk if that needs no waiting.
     *
     * @param id chunk id
     * @param limitBytes the longest payload that may be read
     * @return its payload, or null if there is no such chunk, it is longer, or a writer is inside
     */
    public byte @Nullable [] getAtOnce(long id, int limitBytes) {
        int ticket = gate.enter();
        try {
            return ChunkReader.readAtOnce(entryOf(id), limitBytes);
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
            return ChunkReader.copy(entryOf(id), id, into, capacity);
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
        put(id, value, WriteTag.NONE);
    }

    /**
     * As {@link #put(long, byte[])}; returns the position in the zone's log, 0 for a volatile
     * chunk.
     */
    public long put(long id, byte[] value, WriteTag tag) {
        int ticket = gate.enter();
        try {
            return writer.put(spaceOf(id), id, value, tag);
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
        put(id, from, bytes, WriteTag.NONE);
    }

    /**
     * As {@link #put(long, long, int)}; returns the position in the zone's log, 0 for a volatile
     * chunk.
     */
    public long put(long id, long from, int bytes, WriteTag tag) {
        checkLength(bytes);
        int ticket = gate.enter();
        try {
            return writer.put(spaceOf(id), id, from, bytes, tag);
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
        resize(id, bytes, WriteTag.NONE);
    }

    /**
     * As {@link #resize(long, int)}; returns the position in the zone's log, 0 for a volatile
     * chunk.
     */
    public long resize(long id, int bytes, WriteTag tag) {
        checkLength(bytes);
        int ticket = gate.enter();
        try {
            return writer.resize(spaceOf(id), id, bytes, tag);
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
        remove(id, WriteTag.NONE);
    }

    /** As {@link #remove(long)}; returns the position in the zone's log, 0 for a volatile chunk. */
    public long remove(long id, WriteTag tag) {
        Removed removed = removeRange(id, 1, tag);
        if (removed.count() == 0) {
            throw new ChunkNotFoundException(id);
        }
        return removed.position();
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
        return removeRange(first, count, WriteTag.NONE).count();
    }

    /**
     * As {@link #removeRange(long, int)}.
     *
     * @param first the first chunk id
     * @param count ids, at least 1
     * @param tag who asks for it; the log gets it with the last run of chunks
     * @return chunks removed, and the last position in the zone's log
     */
    public Removed removeRange(long first, int count, WriteTag tag) {
        checkRange(first, count);
        int ticket = gate.enter();
        try {
            IdSpace ids = find(first);
            return ids == null
                    ? new Removed(0, 0)
                    : new RangeRemoval(space, ids).remove(first, count, tag);
        } finally {
            gate.leave(ticket);
        }
    }

    @Override
    public long logPresent(long first, int count) {
        checkRange(first, count);
        int ticket = gate.enter();
        try {
            return writer.logPresent(spaceOf(first), first, count);
        } finally {
            gate.leave(ticket);
        }
    }

    // pin

    /**
     * Pins a range: none of its chunks is moved, resized or removed until it is closed; their
     * memory stays even when the zone or the store is closed meanwhile.
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
            IdSpace ids = spaceOf(first);
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
                    first,
                    count,
                    id -> ids.table.entry(id - outside),
                    () -> unpin(ids, local, count));
        } finally {
            gate.leave(ticket);
        }
    }

    // zones

    @Override
    public void openZone(long zone, @Nullable ChangeLog log) {
        int ticket = gate.enter();
        try {
            zones.open(zone, log);
        } finally {
            gate.leave(ticket);
        }
    }

    @Override
    public void restore(long id, long from, int bytes) {
        checkLength(bytes);
        int ticket = gate.enter();
        try {
            restore.restore(zones.restoring(zoneOf(id)), id, from, bytes);
        } finally {
            gate.leave(ticket);
        }
    }

    @Override
    public void restoreRange(long first, Sizes sizes) {
        checkRange(first, sizes.count());
        int ticket = gate.enter();
        try {
            restore.restoreRange(zones.restoring(zoneOf(first)), first, sizes);
        } finally {
            gate.leave(ticket);
        }
    }

    @Override
    public void attachLog(long zone, ChangeLog log) {
        int ticket = gate.enter();
        try {
            zones.attach(zone, log);
        } finally {
            gate.leave(ticket);
        }
    }

    @Override
    public void closeZone(long zone) {
        zones.leave(zone);
        freeClosedZones();
    }

    @Override
    public boolean leaveZone(long zone, @Nullable ChangeLog log) {
        return zones.leave(zone, log);
    }

    @Override
    public void freeClosedZones() {
        if (memory.tryBegin()) {
            try {
                zones.freeClosed();
            } finally {
                memory.end();
            }
        }
    }

    @Override
    public boolean sealIfEmpty(long zone) {
        int ticket = gate.enter();
        try {
            IdSpace ids = zones.find(zone);
            return ids != null && space.sealIfEmpty(ids);
        } finally {
            gate.leave(ticket);
        }
    }

    @Override
    public boolean hasZone(long zone) {
        return zones.find(zone) != null;
    }

    @Override
    public long[] zones() {
        return zones.all();
    }

    @Override
    public long zoneBytes(long zone) {
        IdSpace ids = zones.find(zone);
        return ids == null ? 0 : ids.blockBytesInUse();
    }

    @Override
    public long forEach(long zone, int fromIndex, ChunkVisitor visitor) {
        long local = Objects.checkIndex(fromIndex, ChunkId.ZONE_IDS);
        while (local >= 0) {
            int ticket = gate.enter();
            try {
                local = zones.findAny(zone).visitSome(local, visitor);
            } finally {
                gate.leave(ticket);
            }
        }
        return local == Long.MIN_VALUE ? -1 : ~local;
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

    private @Nullable IdSpace find(long id) {
        return id >>> IdSpace.VOLATILE_BITS == volatilePrefix
                ? flat
                : ChunkId.isReplicated(id) ? zones.find(ChunkId.zone(id)) : null;
    }

    private IdSpace spaceOf(long id) {
        IdSpace ids = find(id);
        if (ids == null) {
            throw new ChunkNotFoundException(id);
        }
        return ids;
    }

    private long entryOf(long id) {
        if (id >>> IdSpace.VOLATILE_BITS == volatilePrefix) {
            return flatTable.entry(id & IdSpace.VOLATILE_IDS - 1);
        }
        IdSpace ids = find(id);
        return ids == null ? 0 : ids.table.entry(id - ids.firstId);
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

    private static long zoneOf(long id) {
        if (!ChunkId.isReplicated(id)) {
            throw new IllegalArgumentException(
                    "chunk " + ChunkId.toString(id) + " is volatile and has no zone");
        }
        return ChunkId.zone(id);
    }

    private static void checkLength(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("length " + bytes + " is negative");
        }
    }

    private static void checkRange(long first, int count) {
        long last =
                ChunkId.isReplicated(first)
                        ? ChunkId.index(first) + (long) count - ChunkId.ZONE_IDS
                        : ChunkId.local(first) + count - IdSpace.VOLATILE_IDS;
        if (count < 1 || last > 0) {
            throw new StoreException(
                    "no range: "
                            + count
                            + " ids from "
                            + ChunkId.toString(first)
                            + " on (at least 1, one creator, one zone)");
        }
    }
}
