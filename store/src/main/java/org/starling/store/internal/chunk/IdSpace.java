package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.PAGE_ENTRIES;
import static org.starling.store.ChunkEntryLayout.PAGE_SHIFT;
import static org.starling.store.ChunkEntryLayout.UNLOGGED;
import static org.starling.store.ChunkEntryLayout.headerBytes;
import static org.starling.store.ChunkEntryLayout.payloadAddress;
import static org.starling.store.ChunkEntryLayout.payloadBytes;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.StoreException;

/**
 * A run of ids and what belongs to it: table, free ids, pins, and where its changes are logged. The
 * volatile ids of a node are one such space, without a log; each zone is another. The blocks of all
 * spaces lie in one heap ({@link ChunkSpace}). Ids in here are local to the space: 0 is {@link
 * #firstId}.
 *
 * <p>Any thread; what is guarded by the allocation lock of {@link ChunkSpace} says so. Costs 8
 * bytes per id.
 */
final class IdSpace {
    /** Bits of a volatile local id: bit 47 is clear. */
    static final int VOLATILE_BITS = 47;

    /** Volatile ids of one node. */
    static final long VOLATILE_IDS = 1L << VOLATILE_BITS;

    /** Entries that {@link #visitSome} looks at in one call. */
    private static final int VISITED_ENTRIES = 1024;

    final long firstId;
    final ChunkTable table = new ChunkTable();
    final Pins pins = new Pins();

    /** Guarded by the allocation lock. */
    final IdAllocator ids;

    /** Whether it takes no more chunks. Guarded by the allocation lock. */
    boolean isSealed;

    /** Bytes of blocks. Changed under the allocation lock, read by anybody. */
    private final AtomicLong blockBytes = new AtomicLong();

    /** Null for volatile ids. Written before the zone can be found by operations. */
    private @Nullable ChangeLog log;

    /** Operations do not find this zone any more, and none is inside. */
    private volatile boolean retired;

    /** Guarded by this. */
    private boolean released;

    private IdSpace(long firstId, long limit) {
        this.firstId = firstId;
        ids = new IdAllocator(table, limit);
    }

    /** The volatile ids of a node. */
    static IdSpace ofVolatile(int nodeId) {
        return new IdSpace(ChunkId.of(nodeId, 0), VOLATILE_IDS);
    }

    /** The ids of a zone. */
    static IdSpace ofZone(long zone) {
        return new IdSpace(ChunkId.ofZone(zone, 0), ChunkId.ZONE_IDS);
    }

    /** Refuses what is no range of ids of one space. */
    static void checkRange(long first, int count) {
        long last =
                ChunkId.isReplicated(first)
                        ? ChunkId.index(first) + (long) count - ChunkId.ZONE_IDS
                        : ChunkId.local(first) + count - VOLATILE_IDS;
        if (count < 1 || last > 0) {
            throw new StoreException(
                    "no range: "
                            + count
                            + " ids from "
                            + ChunkId.toString(first)
                            + " on (at least 1, one creator, one zone)");
        }
    }

    // entries

    /**
     * Address of the entry of a chunk that may exist.
     *
     * @throws ChunkNotFoundException if the table does not reach so far
     */
    long existing(long id) {
        long address = table.entry(id - firstId);
        if (address == 0) {
            throw new ChunkNotFoundException(id);
        }
        return address;
    }

    /**
     * Enters a chunk as its writer.
     *
     * @return the entry without lock bits
     * @throws ChunkNotFoundException if there is no such chunk
     */
    static long lockExisting(long address, long id) {
        long entry = EntryLock.lockWrite(address);
        if (entry == EntryLock.ABSENT) {
            throw new ChunkNotFoundException(id);
        }
        return entry;
    }

    /**
     * Visits the chunks of some entries that the log has heard of, each inside of it as a reader,
     * up to one that is being created, as the log may have heard of that.
     *
     * @param from the first local id
     * @param visitor sees them until it returns false
     * @return the local id to go on with, its complement (below 0) if the visitor wants to stop
     *     there, or has to; {@link Long#MIN_VALUE} at the end
     */
    long visitSome(long from, ChunkVisitor visitor) {
        long end = Math.min(from + VISITED_ENTRIES, table.reach());
        for (long local = from; local < end; local++) {
            long address = table.entry(local);
            long entry = EntryLock.lockRead(address);
            if (entry != EntryLock.ABSENT) {
                if (!visit(local, address, entry, visitor)) {
                    return ~(local + 1);
                }
            } else if (NativeMemory.getLongVolatile(address) != 0) {
                return ~local;
            }
        }
        return end < table.reach() ? end : Long.MIN_VALUE;
    }

    private boolean visit(long local, long address, long entry, ChunkVisitor visitor) {
        try {
            return (entry & UNLOGGED) != 0
                    || visitor.visit(firstId + local, payloadAddress(entry), payloadBytes(entry));
        } finally {
            EntryLock.unlockRead(address);
        }
    }

    /** What is thrown when there are not so many ids left. */
    RuntimeException full(int count) {
        return ChunkId.isReplicated(firstId)
                ? new ZoneFullException(ChunkId.zone(firstId), count)
                : new IllegalStateException(
                        "all 2^47 volatile local ids of this node have been used");
    }

    // log

    boolean isLogged() {
        return log != null;
    }

    /** Whether it is this log that takes its changes. */
    @SuppressWarnings("ReferenceEquality") // this very log, not one like it
    boolean isLoggedBy(ChangeLog other) {
        return log == other;
    }

    /**
     * Changes are logged from now on. The caller publishes the space afterwards.
     *
     * @param to takes them
     */
    void attach(ChangeLog to) {
        log = to;
    }

    /** As {@link ChangeLog#written}; 0 without a log. */
    long written(long id, long payload, int bytes, WriteTag tag) {
        ChangeLog to = log;
        return to == null ? 0 : to.written(id, payload, bytes, tag);
    }

    /** As {@link ChangeLog#removed}, by local id; 0 without a log. */
    long removed(long local, int count, WriteTag tag) {
        ChangeLog to = log;
        return to == null ? 0 : to.removed(firstId + local, count, tag);
    }

    /** As {@link ChangeLog#created}, by local id; 0 without a log. */
    long created(long local, Sizes sizes, WriteTag tag) {
        ChangeLog to = log;
        return to == null ? 0 : to.created(firstId + local, sizes, tag);
    }

    // bytes

    /** Bytes of the blocks of its chunks. */
    long blockBytesInUse() {
        return blockBytes.get();
    }

    /** Counts blocks. Guarded by the allocation lock. */
    void addBlockBytes(long bytes) {
        blockBytes.setRelease(blockBytes.getPlain() + bytes);
    }

    // end

    boolean isRetired() {
        return retired;
    }

    /**
     * Frees the chunks of a zone that nobody finds any more, but for pinned ones; when nothing is
     * pinned, the table as well. Called when the zone is closed, and again when the last pin goes.
     *
     * @param space where the blocks are
     */
    synchronized void retire(ChunkSpace space) {
        retired = true;
        if (released) {
            return;
        }
        // No pins come any more. If there are some now, the last of them to go leads back to here.
        boolean isUnpinned = pins.size() == 0;
        RemovedRun run = new RemovedRun(space, this);
        for (int page = 0; page < table.pageCount(); page++) {
            if (!space.isEmptyPage(this, page)) {
                freeUnpinned(page, run);
            }
        }
        run.flush();
        if (isUnpinned) {
            release();
        }
    }

    private void freeUnpinned(int page, RemovedRun run) {
        long first = (long) page << PAGE_SHIFT;
        for (long local = first; local < first + PAGE_ENTRIES; local++) {
            long address = table.entry(local);
            long entry = NativeMemory.getLong(address);
            if (payloadAddress(entry) != 0 && !pins.isPinned(local)) {
                int bytes = payloadBytes(entry);
                int header = headerBytes(entry);
                NativeMemory.putLongRelease(address, 0);
                run.add(local, payloadAddress(entry) - header, bytes, header);
            }
        }
    }

    /** Releases the table. Nobody may be inside, nothing pinned. */
    synchronized void release() {
        if (!released) {
            released = true;
            table.close();
        }
    }
}
