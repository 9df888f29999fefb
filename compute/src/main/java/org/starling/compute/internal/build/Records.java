package org.starling.compute.internal.build;

import java.util.Arrays;

/**
 * Records of one width, only ever appended. Confined to the thread that appends; read by others
 * when it has finished.
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

    private void grow() {
        if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, Math.max(4, 2 * count));
        }
        next = slabs.take();
        end = next + (long) perBlock * width;
        blocks[count++] = next;
    }
}
