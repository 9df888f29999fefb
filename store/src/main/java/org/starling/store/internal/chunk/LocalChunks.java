package org.starling.store.internal.chunk;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;
import org.starling.store.StoreStatistics;
import org.starling.store.WithheldIds;

/**
 * The chunks that one node holds: create, read, write, remove, pin, all on native memory of this
 * process. Owned by the node; any thread. Each operation enters a chunk as reader or writer (see
 * {@link EntryLock}), so operations on one chunk take effect one after the other, and operations on
 * different chunks run side by side. Ids are checked against the table, so an id that was forged or
 * has become stale meets {@link ChunkNotFoundException} and never foreign memory.
 *
 * <p>Volatile ids of this node are always here. Replicated ids are here by zones, of this node or
 * of others, once a zone has been opened; each change in a zone is handed to the zone's {@link
 * ChangeLog} inside the changed chunk. What is written without a tag is logged under {@link
 * WriteTag#NONE}.
 *
 * <p>A get or put costs four atomic operations and the copy.
 */
public final class LocalChunks implements AutoCloseable {
    private final int nodeId;

    /** What ids of the volatile space have in their upper 17 bits. */
    private final long volatilePrefix;

    private final ChunkSpace space;
    private final IdSpace flat;
    private final ChunkWriter writer;
    private final ZoneRestore restore;
    private final Pinning pinning;
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
        volatilePrefix = flat.firstId >>> IdSpace.VOLATILE_BITS;
        space = new ChunkSpace(heapBytes);
        space.adopt(flat);
        writer = new ChunkWriter(space);
        restore = new ZoneRestore(space);
        memory = new MemoryUse(space::close);
        pinning = new Pinning(space, memory);
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
        gate.pass(space::maintain);
    }

    /** Compacts the heap as far as one pass goes, whether it pays or not. */
    public void compact() {
        gate.pass(space::compact);
    }

    // create

    /** Creates a volatile chunk; its payload is zero. */
    public long create(int bytes) {
        int ticket = gate.enter();
        try {
            return flat.firstId + space.create(flat, bytes);
        } finally {
            gate.leave(ticket);
        }
    }

    /** Creates a volatile range, all or nothing; payloads are zero. */
    public long createRange(Sizes sizes) {
        return gate.pass(() -> space.create(flat, sizes, WriteTag.NONE, false).first());
    }

    /**
     * Creates a range in an open zone, all or nothing; payloads are zero.
     *
     * @return id of the first, and the position in the log
     * @throws ZoneFullException if the zone has not so many ids left, or is sealed
     * @throws StoreException if the zone is not open
     */
    public Created create(long zone, Sizes sizes, WriteTag tag) {
        return create(zone, sizes, tag, true);
    }

    /**
     * The same; a creation that is not logged has position 0, and the log hears of values alone.
     */
    public Created create(long zone, Sizes sizes, WriteTag tag, boolean isLogged) {
        return gate.pass(() -> {
            IdSpace ids = zones.find(zone);
            if (ids == null) {
                throw zones.notHeld(zone);
            }
            return space.create(ids, sizes, tag, isLogged);
        });
    }

    // read

    /**
     * Length of a chunk.
     *
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
     * @return its payload, or null if there is no such chunk
     */
    public byte @Nullable [] getOrNull(long id) {
        return getUpTo(id, Integer.MAX_VALUE);
    }

    /** Reads a chunk. */
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

    /** Replaces a value; the length becomes that of the value. */
    public void put(long id, byte[] value) {
        put(id, value, WriteTag.NONE);
    }

    /** As {@link #put(long, byte[])}; returns the position in the log, 0 for a volatile chunk. */
    public long put(long id, byte[] value, WriteTag tag) {
        int ticket = gate.enter();
        try {
            return writer.put(spaceOf(id), id, value, tag);
        } finally {
            gate.leave(ticket);
        }
    }

    /**
     * Replaces values of volatile chunks of this node, if all are there, none changes its length
     * and nobody is inside, and this node is not closed.
     *
     * @param chunks their ids
     * @return whether that was done; otherwise nothing has changed
     */
    public boolean putAtOnce(long[] chunks, byte[][] values) {
        for (long id : chunks) {
            if (id >>> IdSpace.VOLATILE_BITS != volatilePrefix) {
                return false;
            }
        }
        int ticket = gate.tryEnter();
        if (ticket == OperationGate.REFUSED) {
            return false;
        }
        try {
            return ChunkWriter.putAtOnce(flat, chunks, values);
        } finally {
            gate.leave(ticket);
        }
    }

    /** Replaces a value from native memory; the length becomes that of the value. */
    public void put(long id, long from, int bytes) {
        put(id, from, bytes, WriteTag.NONE);
    }

    /** As {@link #put(long, long, int)}; returns the position in the log, 0 if it is volatile. */
    public long put(long id, long from, int bytes, WriteTag tag) {
        checkLength(bytes);
        int ticket = gate.enter();
        try {
            return writer.put(spaceOf(id), id, from, bytes, tag);
        } finally {
            gate.leave(ticket);
        }
    }

    /** Changes a length; the payload is cut at its end, or zeros are added there. */
    public void resize(long id, int bytes) {
        resize(id, bytes, WriteTag.NONE);
    }

    /** As {@link #resize(long, int)}; returns the position in the log, 0 for a volatile chunk. */
    public long resize(long id, int bytes, WriteTag tag) {
        checkLength(bytes);
        return gate.pass(() -> writer.resize(spaceOf(id), id, bytes, tag));
    }

    /** Removes a chunk. */
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
     * @throws ChunkPinnedException if one is pinned; nothing is removed then, or those before it if
     *     it is pinned meanwhile
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
        IdSpace.checkRange(first, count);
        return gate.pass(() -> {
            IdSpace ids = find(first);
            return ids == null
                    ? new Removed(0, 0)
                    : new RangeRemoval(space, ids).remove(first, count, tag);
        });
    }

    /**
     * Logs the payloads of a range as they are now; for whoever wrote them in place, through a
     * {@link PinnedRange}. Does nothing for volatile chunks.
     *
     * @return position of the last in the zone's log; 0 for volatile chunks
     * @throws ChunkNotFoundException if one does not exist; those before it are logged
     */
    public long logPresent(long first, int count) {
        IdSpace.checkRange(first, count);
        return gate.pass(() -> writer.logPresent(spaceOf(first), first, count));
    }

    // pin

    /**
     * Pins a range: none of its chunks is moved, resized or removed until it is closed; their
     * memory stays even when the zone or the store is closed meanwhile.
     *
     * @throws ChunkNotFoundException if one does not exist; nothing is pinned then
     */
    public PinnedRange pin(long first, int count) {
        IdSpace.checkRange(first, count);
        return gate.pass(() -> pinning.pin(spaceOf(first), first, count));
    }

    /**
     * Gives none of these ids to a new chunk until that is closed.
     *
     * @throws StoreException if its zone is not here, in use or not
     */
    public WithheldIds withhold(long first, int count) {
        IdSpace.checkRange(first, count);
        return gate.pass(() -> {
            IdSpace ids = find(first);
            if (ids == null) {
                throw new StoreException(
                        "chunk %s is not on this node; only local ids can be withheld"
                                .formatted(ChunkId.toString(first)));
            }
            long local = first - ids.firstId;
            space.withhold(ids, local, count);
            return new WithheldIds(() -> release(ids, local, count));
        });
    }

    /** Nothing to do where the zone has gone elsewhere, or the node has ended. */
    private void release(IdSpace ids, long local, int count) {
        try {
            gate.pass(() -> {
                if (ids == find(ids.firstId)) {
                    space.release(ids, local, count);
                }
            });
        } catch (StoreException _) {
            // closed: gives out nothing more
        }
    }

    /** Whether anything of a zone is pinned; false if it is not open here. */
    public boolean isPinned(long zone) {
        return gate.pass(() -> {
            IdSpace ids = zones.find(zone);
            return ids != null && ids.pins.size() > 0;
        });
    }

    // zones

    /**
     * Opens an empty zone.
     *
     * @param zone zone id, of any creator
     * @param log takes its changes; null for a zone that is to be restored first
     * @throws StoreException if the zone is here already
     */
    public void openZone(long zone, @Nullable ChangeLog log) {
        gate.pass(() -> zones.open(zone, log));
    }

    /**
     * Creates or replaces a chunk in a zone that is being restored. Several threads at once, each
     * with ids of its own; none may be at it when the zone is attached.
     *
     * @throws StoreException if the zone is not being restored
     */
    public void restore(long id, long from, int bytes) {
        checkLength(bytes);
        int ticket = gate.enter();
        try {
            restore.restore(zones.restoring(id), id, from, bytes);
        } finally {
            gate.leave(ticket);
        }
    }

    /** As {@link #restore}, for consecutive chunks; their payload is zero. */
    public void restoreRange(long first, Sizes sizes) {
        IdSpace.checkRange(first, sizes.count());
        gate.pass(() -> restore.restoreRange(zones.restoring(first), first, sizes));
    }

    /** Removes consecutive chunks of a zone that is being restored, those that exist. */
    public void restoreRemoval(long first, int count) {
        IdSpace.checkRange(first, count);
        gate.pass(() ->
                new RangeRemoval(space, zones.restoring(first))
                        .remove(first, count, WriteTag.NONE));
    }

    /**
     * Opens a zone that has been restored, or one that is not here yet as an empty one; changes are
     * logged from now on. Ids below the greatest one in use that are free can be used for new
     * chunks.
     *
     * @throws StoreException if the zone is open
     */
    public void attachLog(long zone, ChangeLog log) {
        gate.pass(() -> zones.attach(zone, log));
    }

    /**
     * Forgets a zone, open or being restored, and frees its memory but for what is pinned. Waits
     * for the operations inside; those that come later find nothing. Nothing happens if the zone is
     * not here. Not to be called from inside an operation.
     */
    public void closeZone(long zone) {
        zones.leave(zone);
        freeClosedZones();
    }

    /**
     * Forgets a zone at once, if it is still the one that is meant: operations that come later find
     * nothing. Never waits; the memory is freed by {@link #freeClosedZones}.
     *
     * @param zone zone id
     * @param log the log of the zone that is meant; null for one that is being restored
     * @return false if there is no such zone with this log
     */
    public boolean leaveZone(long zone, @Nullable ChangeLog log) {
        return zones.leave(zone, log);
    }

    /**
     * Waits for the operations inside and frees the memory of all forgotten zones but for what is
     * pinned. Nothing happens once the store has been released. Not to be called from inside an
     * operation.
     */
    public void freeClosedZones() {
        if (memory.tryBegin()) {
            try {
                zones.freeClosed();
            } finally {
                memory.end();
            }
        }
    }

    /**
     * Lets no more chunks into a zone, if it has none: from now on {@link #create} finds it full.
     *
     * @return true if the zone is open, without chunks, and stays so
     */
    public boolean sealIfEmpty(long zone) {
        return gate.pass(() -> {
            IdSpace ids = zones.find(zone);
            return ids != null && space.sealIfEmpty(ids);
        });
    }

    /** Whether a zone is open. */
    public boolean hasZone(long zone) {
        return zones.find(zone) != null;
    }

    /** The zones that are open, ascending. */
    public long[] zones() {
        return zones.all();
    }

    /**
     * What the chunks of a zone take.
     *
     * @return bytes of payloads and headers; 0 if the zone is not open
     */
    public long zoneBytes(long zone) {
        IdSpace ids = zones.find(zone);
        return ids == null ? 0 : ids.blockBytesInUse();
    }

    /**
     * Visits the chunks of a zone, open or being restored, in ascending order of their ids, until
     * the visitor wants to stop. Chunks of which the log has not heard yet are not visited, and
     * others that are created or removed meanwhile are or not. It stops before a chunk that is just
     * being created, as the log may have heard of that.
     *
     * @param zone zone id
     * @param fromIndex index in the zone to begin with
     * @param visitor sees each of them, inside of it as a reader, and must not wait
     * @return the index to go on with, or −1 when there are no more
     * @throws StoreException if the zone is not here, or is closed meanwhile
     */
    public long forEach(long zone, int fromIndex, ChunkVisitor visitor) {
        long local = Objects.checkIndex(fromIndex, ChunkId.ZONE_IDS);
        while (local >= 0) {
            long from = local;
            local = gate.pass(() -> zones.findAny(zone).visitSome(from, visitor));
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
        IdSpace ids = find(id);
        return ids == null ? 0 : ids.table.entry(id - ids.firstId);
    }

    private static void checkLength(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("length " + bytes + " is negative");
        }
    }
}
