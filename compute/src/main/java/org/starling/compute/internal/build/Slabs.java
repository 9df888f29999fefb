package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;
import org.starling.net.NativeMemory;

/**
 * Blocks of native memory that are all freed together, or given back one by one before. Owned by a
 * build; any thread may take and give blocks.
 */
final class Slabs implements AutoCloseable {
    /** Bytes per block. */
    static final int BLOCK_BYTES = 64 << 10;

    private static final long SLAB_BYTES = 8L << 20;

    private final List<Long> slabs = new ArrayList<>();
    private final LongArrayList free = new LongArrayList();
    private long next;
    private long end;

    /** A block; its content is undefined. */
    synchronized long take() {
        if (!free.isEmpty()) {
            return free.popLong();
        }
        if (next == end) {
            next = NativeMemory.reserve(SLAB_BYTES);
            end = next + SLAB_BYTES;
            slabs.add(next);
        }
        long block = next;
        next += BLOCK_BYTES;
        return block;
    }

    /** Takes a block back, to be given to the next who wants one. */
    synchronized void give(long block) {
        free.push(block);
    }

    /** Takes a block back and its memory from the process. */
    void discard(long block) {
        NativeMemory.discard(block, BLOCK_BYTES);
        give(block);
    }

    @Override
    public synchronized void close() {
        slabs.forEach(slab -> NativeMemory.release(slab, SLAB_BYTES));
        slabs.clear();
        free.clear();
        next = 0;
        end = 0;
    }
}
