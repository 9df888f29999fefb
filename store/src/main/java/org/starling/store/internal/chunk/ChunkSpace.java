package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.ENTRY_BYTES;
import static org.starling.store.ChunkEntryLayout.blockBytes;
import static org.starling.store.ChunkEntryLayout.headerBytesFor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.StoreStatistics;

/**
 * Room for chunks: the heap of one node, and the ids of all its spaces (the volatile one, and one
 * for each zone), under one allocation lock. Whoever creates or frees takes the lock for the
 * bookkeeping alone; headers, entries and payloads are written outside of it. Reading and writing
 * chunks never takes it. Owned by {@link LocalChunks}; any thread.
 *
 * <p>When freed bytes that could not be used again pass {@link #DEAD_PERCENT} of the live ones, the
 * {@link HeapCompactor} runs: at once if a new segment is needed, else when {@link #maintain} is
 * called.
 */
final class ChunkSpace implements AutoCloseable {
    /** Dead bytes, in percent of live ones, that the heap may have. */
    static final int DEAD_PERCENT = 8;

    /** Dead bytes, in percent of live ones, that a pass of the compactor leaves. */
    static final int DEAD_GOAL_PERCENT = 3;

    /** Dead bytes, in percent of live ones, at which freeing itself compacts. */
    private static final int DEAD_PERCENT_WHILE_FREEING = 25;

    /**
     * A pass must have this much to gain, in percent of live bytes, over what the last one left.
     */
    private static final int WORTHWHILE_PERCENT = 3;

    /** Passes for one allocation on a full heap. */
    private static final int MAX_PASSES_WHEN_FULL = 8;

    private static final int PERCENT = 100;

    /** Segments whose memory is given back before others get the lock. */
    private static final int DISCARDED_AT_ONCE = 4;

    private final ReentrantLock allocation = new ReentrantLock();

    // guarded by allocation
    private final BlockHeap heap;
    private final List<IdSpace> spaces = new ArrayList<>();
    private final HeapCompactor compactor;
    private long chunks;
    private long payloadBytes;
    private long headerBytes;
    private long deadAfterPass;

    /** Whether the last pass has made much room. */
    private boolean hasGained;

    private boolean closed;

    ChunkSpace(long heapBytes) {
        heap = new BlockHeap(heapBytes);
        compactor = new HeapCompactor(heap, spaces);
    }

    // spaces

    /**
     * From now on blocks are allocated for a space.
     *
     * @param fresh a space without chunks
     */
    void adopt(IdSpace fresh) {
        locked(() -> {
            checkOpen();
            spaces.add(fresh);
        });
    }

    /**
     * The chunks of a space are not moved any more and its ids not counted; their blocks stay until
     * they are freed.
     *
     * @param old a space that nobody is inside of
     */
    void forget(IdSpace old) {
        locked(() -> spaces.remove(old));
    }

    /** Lets no more chunks into a space, if it has none; see {@link LocalChunks#sealIfEmpty}. */
    boolean sealIfEmpty(IdSpace ids) {
        return locked(() -> {
            // Chunks are counted from before their creation is logged until after their removal is.
            ids.isSealed |= ids.blockBytesInUse() == 0;
            return ids.isSealed;
        });
    }

    /** Gives none of these ids to a new chunk before {@link #release}. */
    void withhold(IdSpace ids, long local, int count) {
        locked(() -> ids.ids.withhold(local, count));
    }

    /** Ends {@link #withhold}. The space is open, or closed no earlier than the caller is done. */
    void release(IdSpace ids, long local, int count) {
        locked(() -> {
            if (!closed) {
                ids.ids.release(local, count);
            }
        });
    }

    /** Whether a page of a space has no chunks, for all that is known. */
    boolean isEmptyPage(IdSpace ids, int page) {
        return locked(() -> ids.ids.isEmpty(page));
    }

    /** How many spaces there are beside the volatile one. */
    int zoneCount() {
        return locked(() -> spaces.size() - 1);
    }

    // main operations

    /**
     * Creates chunks with consecutive ids whose blocks lie together in id order, their payload
     * zero; all or none. If the creation is logged, it is before anybody can see the chunks.
     *
     * @return id of the first, and the position in the log
     * @throws OutOfChunkMemoryException if the heap has no room for all
     * @throws ZoneFullException if the zone has not so many ids left
     */
    Created create(IdSpace ids, Sizes sizes, WriteTag tag, boolean isLogged) {
        Sizes.Totals totals = sizes.totals();
        long bytes = totals.blockBytes();
        int count = sizes.count();
        long first;
        long block;
        allocation.lock();
        try {
            checkOpen();
            if (ids.isSealed) {
                throw ids.full(count);
            }
            block = allocate(bytes);
            first = takeIds(ids, count, block, bytes);
            count(ids, count, totals.payloadBytes(), totals.headerBytes());
        } finally {
            allocation.unlock();
        }
        long address = clearRange(block, bytes);
        long position = 0;
        long mark = 0;
        if (isLogged && ids.isLogged()) {
            position = logCreation(ids, first, sizes, tag, address, totals);
        } else if (ids.isLogged()) {
            mark = ChunkEntryLayout.UNLOGGED;
        }
        publish(ids, sizes, first, address, address + bytes, mark);
        return new Created(ids.firstId + first, position);
    }

    /**
     * Creates one volatile chunk, its payload zero.
     *
     * @throws OutOfChunkMemoryException if the heap has no room
     */
    long create(IdSpace ids, int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("size " + bytes + " is negative");
        }
        long blockBytes = blockBytes(bytes);
        long block;
        long local;
        allocation.lock();
        try {
            checkOpen();
            block = allocate(blockBytes);
            local = takeIds(ids, 1, block, blockBytes);
            count(ids, 1, bytes, headerBytesFor(bytes));
        } finally {
            allocation.unlock();
        }
        NativeMemory.putLongRelease(ids.table.entry(local), clear(block, bytes));
        return local;
    }

    /**
     * Takes an id that is free and a block for it, for a chunk that existed elsewhere. Its payload
     * is not cleared, and the entry is for the caller to write.
     *
     * @throws OutOfChunkMemoryException if the heap has no room
     */
    long restore(IdSpace ids, long local, int bytes) {
        long block;
        allocation.lock();
        try {
            checkOpen();
            ids.ids.takeAt(local, 1);
            block = allocate(blockBytes(bytes));
            count(ids, 1, bytes, headerBytesFor(bytes));
        } finally {
            allocation.unlock();
        }
        return ChunkEntryLayout.writeHeader(block & ~BlockHeap.USED_BEFORE, bytes);
    }

    /**
     * Creates chunks at certain ids that are free, their blocks together, their payload zero.
     *
     * @throws OutOfChunkMemoryException if the heap has no room for all
     */
    void restoreRange(IdSpace ids, long first, Sizes sizes) {
        Sizes.Totals totals = sizes.totals();
        long bytes = totals.blockBytes();
        long block;
        allocation.lock();
        try {
            checkOpen();
            ids.ids.takeAt(first, sizes.count());
            block = allocate(bytes);
            count(ids, sizes.count(), totals.payloadBytes(), totals.headerBytes());
        } finally {
            allocation.unlock();
        }
        long address = clearRange(block, bytes);
        publish(ids, sizes, first, address, address + bytes, 0);
    }

    /**
     * Allocates a block for a chunk that exists, its payload zero.
     *
     * @throws OutOfChunkMemoryException if the heap has no room
     */
    long allocateBlock(IdSpace ids, int bytes) {
        long block;
        allocation.lock();
        try {
            checkOpen();
            block = allocate(blockBytes(bytes));
            count(ids, 0, bytes, headerBytesFor(bytes));
        } finally {
            allocation.unlock();
        }
        return clear(block, bytes);
    }

    /** Frees a block whose chunk has another one now. */
    void freeBlock(IdSpace ids, long block, int bytes) {
        allocation.lock();
        try {
            count(ids, 0, -(long) bytes, -headerBytesFor(bytes));
            heap.free(block, blockBytes(bytes));
            compactWhileFreeing();
        } finally {
            allocation.unlock();
        }
    }

    /**
     * Frees consecutive chunks whose entries are 0 already and whose blocks lie together.
     *
     * @param ids where
     * @param local the first
     * @param count how many
     * @param block address of the first block
     * @param bytes their payloads together
     * @param headers their headers together
     */
    void free(IdSpace ids, long local, int count, long block, long bytes, long headers) {
        allocation.lock();
        try {
            if (closed) {
                return;
            }
            count(ids, -count, -bytes, -headers);
            heap.free(block, bytes + headers);
            ids.ids.free(local, count);
            compactWhileFreeing();
        } finally {
            allocation.unlock();
        }
    }

    /**
     * Compacts if there is something to gain, and gives memory back that nobody needs; called from
     * time to time by whoever keeps the node going.
     */
    void maintain() {
        int idle = compactIfWorth();
        while (idle > 0) {
            int now = Math.min(idle, DISCARDED_AT_ONCE);
            allocation.lock();
            try {
                if (closed) {
                    return;
                }
                heap.discardFree(now);
            } finally {
                allocation.unlock();
            }
            idle -= now;
        }
    }

    /** Returns how many segments may give their memory back. */
    private int compactIfWorth() {
        allocation.lock();
        try {
            if (closed) {
                return 0;
            }
            if (hasGained) {
                deadAfterPass = 0; // the pass stopped at its bounds, not for want of success
            }
            if (isWorthPass(DEAD_PERCENT, 1)) {
                pass();
            }
            return heap.idleSegments();
        } finally {
            allocation.unlock();
        }
    }

    /** Compacts as far as one pass goes, whether it pays or not. */
    void compact() {
        locked(() -> {
            if (!closed) {
                compactor.pass(0);
                deadAfterPass = heap.deadBytes();
            }
        });
    }

    /** What is in use now. */
    StoreStatistics statistics() {
        return locked(() ->
                new StoreStatistics(
                        chunks,
                        payloadBytes,
                        headerBytes,
                        entries() * ENTRY_BYTES,
                        closed ? 0 : heap.usedBytes(),
                        heap.limitBytes()));
    }

    /** Releases heap and tables. Nobody may be inside a chunk. */
    @Override
    public void close() {
        locked(() -> {
            if (!closed) {
                closed = true;
                spaces.forEach(IdSpace::release);
                heap.close();
            }
        });
    }

    // private

    private <T> T locked(Supplier<T> change) {
        allocation.lock();
        try {
            return change.get();
        } finally {
            allocation.unlock();
        }
    }

    private void locked(Runnable change) {
        allocation.lock();
        try {
            change.run();
        } finally {
            allocation.unlock();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the store of this node is closed");
        }
    }

    private long entries() {
        long entries = 0;
        for (IdSpace space : spaces) {
            entries += space.ids.entries();
        }
        return entries;
    }

    /** Takes ids for a block; gives the block back if that fails. */
    private long takeIds(IdSpace ids, int count, long block, long bytes) {
        long first = -1;
        try {
            first = ids.ids.take(count);
        } finally {
            if (first < 0) {
                heap.free(block & ~BlockHeap.USED_BEFORE, bytes);
            }
        }
        if (first < 0) {
            throw ids.full(count);
        }
        return first;
    }

    /** Logs a creation; undoes it if that fails. */
    private long logCreation(
            IdSpace ids, long first, Sizes sizes, WriteTag tag, long block, Sizes.Totals totals) {
        boolean logged = false;
        try {
            long position = ids.created(first, sizes, tag);
            logged = true;
            return position;
        } finally {
            if (!logged) {
                for (int i = 0; i < sizes.count(); i++) {
                    NativeMemory.putLongRelease(ids.table.entry(first + i), 0);
                }
                free(ids, first, sizes.count(), block, totals.payloadBytes(), totals.headerBytes());
            }
        }
    }

    /** Lets everybody see chunks, with a mark in their entries. */
    private static void publish(
            IdSpace ids, Sizes sizes, long first, long start, long end, long mark) {
        long address = start;
        int count = sizes.count();
        for (int i = 0; i < count; i++) {
            int bytes = sizes.bytes(i);
            if (bytes < 0 || blockBytes(bytes) > end - address) {
                throw new IllegalStateException(
                        "the sizes of a range changed while it was created");
            }
            long entry = ChunkEntryLayout.writeHeader(address, bytes);
            NativeMemory.putLongRelease(ids.table.entry(first + i), entry | mark);
            address += blockBytes(bytes);
        }
    }

    private static long clearRange(long block, long bytes) {
        long address = block & ~BlockHeap.USED_BEFORE;
        if (address != block) {
            NativeMemory.fill(address, bytes, (byte) 0);
        }
        return address;
    }

    private static long clear(long block, int bytes) {
        long address = block & ~BlockHeap.USED_BEFORE;
        if (address != block) {
            NativeMemory.fill(address + headerBytesFor(bytes), bytes, (byte) 0);
        }
        return ChunkEntryLayout.writeHeader(address, bytes);
    }

    private void count(IdSpace ids, int count, long payloads, long headers) {
        chunks += count;
        payloadBytes += payloads;
        headerBytes += headers;
        ids.addBlockBytes(payloads + headers);
    }

    private long allocate(long bytes) {
        long block = heap.reuse(bytes);
        if (block != BlockHeap.NO_ROOM) {
            return block;
        }
        if (heap.needsSegment(bytes) && isWorthPass(DEAD_PERCENT, WORTHWHILE_PERCENT)) {
            pass();
        }
        block = heap.append(bytes);
        for (int i = 0; block == BlockHeap.NO_ROOM && i < MAX_PASSES_WHEN_FULL; i++) {
            if (compactor.pass(0) == 0) {
                break;
            }
            block = heap.append(bytes);
        }
        deadAfterPass = Math.min(deadAfterPass, heap.deadBytes());
        if (block == BlockHeap.NO_ROOM) {
            throw outOfMemory(bytes);
        }
        return block;
    }

    private OutOfChunkMemoryException outOfMemory(long bytes) {
        return new OutOfChunkMemoryException(
                "no room for "
                        + bytes
                        + " bytes: "
                        + heap.liveBytes()
                        + " of the "
                        + heap.limitBytes()
                        + " bytes of this node's chunk heap hold chunks (segments in use: "
                        + heap.usedBytes()
                        + " bytes); remove chunks, unpin ranges, or raise heapBytes");
    }

    private void compactWhileFreeing() {
        if (isWorthPass(DEAD_PERCENT_WHILE_FREEING, DEAD_PERCENT)) {
            pass();
        }
    }

    private boolean isWorthPass(int deadPercent, int gainPercent) {
        long dead = heap.deadBytes();
        long segment = heap.segmentBytes();
        return dead > heap.liveBytes() * deadPercent / PERCENT + segment
                && dead - deadAfterPass > heap.liveBytes() * gainPercent / PERCENT;
    }

    private void pass() {
        int gained = compactor.pass(heap.liveBytes() * DEAD_GOAL_PERCENT / PERCENT);
        hasGained = gained * heap.segmentBytes() > heap.liveBytes() / PERCENT;
        deadAfterPass = heap.deadBytes();
    }
}
