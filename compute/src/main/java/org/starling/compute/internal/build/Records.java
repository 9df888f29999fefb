package org.starling.compute.internal.build;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Records of one width, appended and later visited. Confined to the thread that appends; read by
 * others when it has finished.
 */
final class Records {
    private final Slabs slabs;
    private final int width;
    private final int perBlock;
    private long[] blocks = {};
    private int count;
    private long next;
    private long end;

    Records(Slabs slabs, int width) {
        this.slabs = slabs;
        this.width = width;
        this.perBlock = Slabs.BLOCK_BYTES / width;
    }

    /** Address of a new record, to be written at once. */
    long add() {
        if (next == end) {
            grow();
        }
        long at = next;
        next += width;
        return at;
    }

    /** Number of blocks. */
    int blocks() {
        return count;
    }

    /** Address of a block's first record. */
    long block(int index) {
        return blocks[index];
    }

    /** Address behind a block's last record. */
    long blockEnd(int index) {
        return index == count - 1 ? next : blocks[index] + (long) perBlock * width;
    }

    /** Number of records. */
    long size() {
        return count == 0 ? 0 : (count - 1L) * perBlock + (next - blocks[count - 1]) / width;
    }

    /** Visits all records in the order in which they were added. */
    void forEach(LongConsumer visitor) {
        for (int block = 0; block < count; block++) {
            visitBlock(block, visitor);
        }
    }

    /**
     * Visits all records, gives each block back as soon as it has been visited, and is empty then.
     */
    void drain(LongConsumer visitor) {
        for (int block = 0; block < count; block++) {
            visitBlock(block, visitor);
            slabs.give(blocks[block]);
        }
        forget();
    }

    /** What is done with a block. */
    interface BlockVisitor {
        /** Visits the records from an address (inclusive) to another (exclusive). */
        void visit(long from, long end);
    }

    /** The same as {@link #drain}, for visitors that go through a block more than once. */
    void drainBlocks(BlockVisitor visitor) {
        for (int block = 0; block < count; block++) {
            visitor.visit(blocks[block], blockEnd(block));
            slabs.give(blocks[block]);
        }
        forget();
    }

    /** Returns the memory of all records to the system. */
    void discard() {
        for (int block = 0; block < count; block++) {
            slabs.discard(blocks[block]);
        }
        forget();
    }

    private void visitBlock(int block, LongConsumer visitor) {
        long blockEnd = blockEnd(block);
        for (long at = blocks[block]; at < blockEnd; at += width) {
            visitor.accept(at);
        }
    }

    private void forget() {
        blocks = new long[0];
        count = 0;
        next = 0;
        end = 0;
    }

    private void grow() {
        if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, Math.max(4, 2 * count));
        }
        next = slabs.take();
        end = next + (long) perBlock * width;
        blocks[count++] = next;
    }
}
