package org.starling.store.internal.chunk;

import java.util.Arrays;

/**
 * Freed blocks by exact size, last in first out. A block can be one byte long, so the addresses are
 * kept beside the heap and not in the blocks. Guarded by the allocation lock. A block that finds no
 * room here is not lost: the {@link HeapCompactor} gets its bytes back. Costs 8 bytes per freed
 * block, up to {@link #MAX_BLOCKS}.
 */
final class FreeBlocks {
    /** The greatest size that is kept. */
    static final int MAX_BLOCK_BYTES = 2048;

    /** The most blocks that are kept, all sizes together: 8 MiB of addresses. */
    static final int MAX_BLOCKS = 1 << 20;

    private static final int FIRST_CAPACITY = 16;

    /** By size: a stack of addresses, of which {@link #counts} are in use. */
    private final long[][] stacks = new long[MAX_BLOCK_BYTES + 1][];

    private final int[] counts = new int[MAX_BLOCK_BYTES + 1];
    private int blocks;

    /** Keeps a block, if its size and the bound allow. */
    void put(long address, long bytes) {
        if (bytes > MAX_BLOCK_BYTES || blocks == MAX_BLOCKS) {
            return;
        }
        int size = (int) bytes;
        long[] stack = stacks[size];
        int count = counts[size];
        if (stack == null) {
            stack = new long[FIRST_CAPACITY];
            stacks[size] = stack;
        } else if (count == stack.length) {
            stack = Arrays.copyOf(stack, 2 * count);
            stacks[size] = stack;
        }
        stack[count] = address;
        counts[size] = count + 1;
        blocks++;
    }

    /**
     * Takes a block of exactly this size.
     *
     * @return its address, or 0 if there is none
     */
    long take(long bytes) {
        if (bytes > MAX_BLOCK_BYTES || counts[(int) bytes] == 0) {
            return 0;
        }
        int size = (int) bytes;
        blocks--;
        return stacks[size][--counts[size]];
    }

    /** Which blocks to forget. */
    @FunctionalInterface
    interface Forget {
        boolean test(long address, int bytes);
    }

    /**
     * Forgets blocks.
     *
     * @param forget true for the blocks to forget
     */
    void forgetIf(Forget forget) {
        for (int size = 1; size <= MAX_BLOCK_BYTES; size++) {
            int kept = 0;
            long[] stack = stacks[size];
            for (int i = 0; i < counts[size]; i++) {
                if (!forget.test(stack[i], size)) {
                    stack[kept++] = stack[i];
                }
            }
            blocks -= counts[size] - kept;
            counts[size] = kept;
        }
    }
}
