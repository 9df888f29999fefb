package org.starling.compute.internal.build;

import java.util.ArrayList;
import java.util.List;
import org.starling.net.NativeMemory;

/**
 * Blocks of native memory that are all freed together. Owned by a build; any thread may take
 * blocks.
 */
final class Slabs implements AutoCloseable {
    /** Bytes per block. */
    static final int BLOCK_BYTES = 64 << 10;

    private static final long SLAB_BYTES = 8L << 20;

    private final List<Long> slabs = new ArrayList<>();
    private long next;
    private long end;

    /** A block; its content is undefined. */
    synchronized long take() {
        if (next == end) {
            next = NativeMemory.reserve(SLAB_BYTES);
            end = next + SLAB_BYTES;
            slabs.add(next);
        }
        long block = next;
        next += BLOCK_BYTES;
        return block;
    }

    @Override
    public synchronized void close() {
        slabs.forEach(slab -> NativeMemory.release(slab, SLAB_BYTES));
        slabs.clear();
        next = 0;
        end = 0;
    }
}
