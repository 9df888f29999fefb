package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.ENTRY_BYTES;
import static org.starling.store.ChunkEntryLayout.blockBytes;
import static org.starling.store.ChunkEntryLayout.headerBytesFor;

import java.util.concurrent.locks.ReentrantLock;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.StoreStatistics;

/**
 * Room for chunks: heap, table and ids of one node under one allocation lock. Whoever creates or
 * frees takes the lock for the bookkeeping alone; headers, entries and payloads are written outside
 * of it. Reading and writing chunks never takes it. Owned by {@link LocalChunks}; any thread.
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

    private final ReentrantLock allocation = new ReentrantLock();
    private final ChunkTable table = new ChunkTable();
    private final Pins pins = new Pins();

    // guarded by allocation
    private final BlockHeap heap;
    private final IdAllocator ids = new IdAllocator(table);
    private final HeapCompactor compactor;
    private long chunks;
    private long payloadBytes;
    private long headerBytes;
    private long deadAfterPass;
    private boolean closed;

    ChunkSpace(long heapBytes) {
        heap = new BlockHeap(heapBytes);
        compactor = new HeapCompactor(heap, table, pins);
    }

    ChunkTable table() {
        return table;
    }

    Pins pins() {
        return pins;
    }

    // main operations

    /**
     * Creates chunks with consecutive ids whose blocks lie together in id order, their payload
     * zero; all or none.
     *
     * @param sizes their lengths
     * @return local id of the first
     * @throws OutOfChunkMemoryException if the heap has no room for all
     */
    long create(Sizes sizes) {
        Sizes.Totals totals = sizes.totals();
        long bytes = totals.blockBytes();
        int count = sizes.count();
        long first;
        long block;
        allocation.lock();
        try {
            checkOpen();
            block = allocate(bytes);
            first = takeIds(count, block, bytes);
            chunks += count;
            payloadBytes += totals.payloadBytes();
            headerBytes += totals.headerBytes();
        } finally {
            allocation.unlock();
        }
        long address = block & ~BlockHeap.USED_BEFORE;
        if (address != block) {
            NativeMemory.fill(address, bytes, (byte) 0);
        }
        publish(sizes, first, address, address + bytes);
        return first;
    }

    /**
     * Creates one chunk, its payload zero.
     *
     * @param bytes its length, at least 0
     * @return its local id
     * @throws OutOfChunkMemoryException if the heap has no room
     */
    long create(int bytes) {
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
            local = takeIds(1, block, blockBytes);
            count(1, bytes);
        } finally {
            allocation.unlock();
        }
        NativeMemory.putLongRelease(table.entry(local), clear(block, bytes));
        return local;
    }

    /**
     * Allocates a block for a chunk that exists, its payload zero.
     *
     * @param bytes length of the payload
     * @return the entry of the block
     * @throws OutOfChunkMemoryException if the heap has no room
     */
    long allocateBlock(int bytes) {
        long block;
        allocation.lock();
        try {
            checkOpen();
            block = allocate(blockBytes(bytes));
            chunks--;
            count(1, bytes);
        } finally {
            allocation.unlock();
        }
        return clear(block, bytes);
    }

    /**
     * Frees a block whose chunk has another one now.
     *
     * @param block address of the block
     * @param bytes length of the payload
     */
    void freeBlock(long block, int bytes) {
        allocation.lock();
        try {
            chunks++;
            count(-1, bytes);
            heap.free(block, blockBytes(bytes));
            compactWhileFreeing();
        } finally {
            allocation.unlock();
        }
    }

    /**
     * Frees consecutive chunks whose entries are 0 already and whose blocks lie together.
     *
     * @param local the first
     * @param count how many
     * @param block address of the first block
     * @param bytes their payloads together
     * @param headers their headers together
     */
    void free(long local, int count, long block, long bytes, long headers) {
        allocation.lock();
        try {
            chunks -= count;
            payloadBytes -= bytes;
            headerBytes -= headers;
            heap.free(block, bytes + headers);
            ids.free(local, count);
            compactWhileFreeing();
        } finally {
            allocation.unlock();
        }
    }

    /**
     * Compacts if there is something to gain; called from time to time by whoever keeps the node
     * going.
     */
    void maintain() {
        allocation.lock();
        try {
            if (!closed && isWorthPass(DEAD_PERCENT, 1)) {
                pass();
            }
        } finally {
            allocation.unlock();
        }
    }

    /** Compacts as far as one pass goes, whether it pays or not. */
    void compact() {
        allocation.lock();
        try {
            if (!closed) {
                compactor.pass(0, ids.bound());
                deadAfterPass = heap.deadBytes();
            }
        } finally {
            allocation.unlock();
        }
    }

    /** What is in use now. */
    StoreStatistics statistics() {
        allocation.lock();
        try {
            return new StoreStatistics(
                    chunks,
                    payloadBytes,
                    headerBytes,
                    ids.entries() * ENTRY_BYTES,
                    closed ? 0 : heap.usedBytes(),
                    heap.limitBytes());
        } finally {
            allocation.unlock();
        }
    }

    /** Releases heap and table. Nobody may be inside a chunk. */
    @Override
    public void close() {
        allocation.lock();
        try {
            if (!closed) {
                closed = true;
                table.close();
                heap.close();
            }
        } finally {
            allocation.unlock();
        }
    }

    // private

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the store of this node is closed");
        }
    }

    /** Takes ids for a block; gives the block back if that fails. */
    private long takeIds(int count, long block, long bytes) {
        try {
            return ids.take(count);
        } catch (RuntimeException e) {
            heap.free(block & ~BlockHeap.USED_BEFORE, bytes);
            throw e;
        }
    }

    private void publish(Sizes sizes, long first, long start, long end) {
        long address = start;
        int count = sizes.count();
        for (int i = 0; i < count; i++) {
            int bytes = sizes.bytes(i);
            if (bytes < 0 || blockBytes(bytes) > end - address) {
                throw new IllegalStateException(
                        "the sizes of a range changed while it was created");
            }
            long entry = ChunkEntryLayout.writeHeader(address, bytes);
            NativeMemory.putLongRelease(table.entry(first + i), entry);
            address += blockBytes(bytes);
        }
    }

    private static long clear(long block, int bytes) {
        long address = block & ~BlockHeap.USED_BEFORE;
        if (address != block) {
            NativeMemory.fill(address + headerBytesFor(bytes), bytes, (byte) 0);
        }
        return ChunkEntryLayout.writeHeader(address, bytes);
    }

    private void count(int sign, int bytes) {
        chunks += sign;
        payloadBytes += (long) sign * bytes;
        headerBytes += (long) sign * headerBytesFor(bytes);
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
            if (compactor.pass(0, ids.bound()) == 0) {
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
        compactor.pass(heap.liveBytes() * DEAD_GOAL_PERCENT / PERCENT, ids.bound());
        deadAfterPass = heap.deadBytes();
    }
}
