package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** Blocks at the ends of segments and at the end of the heap. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class BlockHeapLimitsTest {
    private static final long LIMIT = 1 << 20;
    private static final int SEGMENT = 1 << 16;
    private static final int SEGMENTS = (int) (LIMIT / SEGMENT);

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final BlockHeap heap = new BlockHeap(LIMIT);

    @AfterEach
    void leavesNoMemoryBehind() {
        heap.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void cutsItselfInSegmentsOfTheLeastSizeWhenItIsSmall() {
        assertThat(heap.segmentBytes()).isEqualTo(SEGMENT);
        assertThat(heap.limitBytes()).isEqualTo(LIMIT);
        assertThat(heap.usedBytes()).isZero();
        assertThat(heap.deadBytes()).isZero();
    }

    @Test
    void handsOutAllOfItsBytesAndNotOneMore() {
        long block = heap.append(LIMIT);

        assertThat(block).isNotEqualTo(BlockHeap.NO_ROOM);
        assertThat(heap.append(1)).isEqualTo(BlockHeap.NO_ROOM);
        NativeMemory.putByte(block, (byte) 1);
        NativeMemory.putByte(block + LIMIT - 1, (byte) 1);
        assertThat(heap.liveBytes()).isEqualTo(LIMIT);
        assertThat(heap.deadBytes()).isZero();
    }

    @Test
    void refusesMoreThanItHasAndChangesNothing() {
        for (long bytes : new long[] {LIMIT + 1, 1L << 31, (1L << 31) + 3, 1L << 50}) {
            assertThat(heap.append(bytes)).as("%d bytes", bytes).isEqualTo(BlockHeap.NO_ROOM);
        }
        assertThat(heap.usedBytes()).isZero();
        assertThat(heap.liveBytes()).isZero();
        assertThat(heap.append(LIMIT)).isNotEqualTo(BlockHeap.NO_ROOM);
    }

    @Test
    void placesBlocksOneBehindTheOtherAcrossSegments() {
        long first = heap.append(SEGMENT - 1);
        long second = heap.append(2);
        long third = heap.append(SEGMENT);

        assertThat(second).isEqualTo(first + SEGMENT - 1);
        assertThat(third).isEqualTo(second + 2);
        assertThat(heap.segmentOf(second)).isEqualTo(heap.segmentOf(first));
        assertThat(heap.segmentOf(second + 1)).isEqualTo(heap.segmentOf(first) + 1);
        assertThat(heap.usedBytes()).isEqualTo(3L * SEGMENT);
    }

    @Test
    void freesTheSegmentsWhollyInsideALongBlockAtOnce() {
        heap.append(10);
        long block = heap.append(3 * SEGMENT);
        heap.append(10);
        assertThat(heap.usedBytes()).isEqualTo(4L * SEGMENT);

        heap.free(block, 3 * SEGMENT);

        assertThat(heap.usedBytes()).as("the ends hold others").isEqualTo(2L * SEGMENT);
        assertThat(heap.liveBytes()).isEqualTo(20);
    }

    @Test
    void usesFreedBlocksAgainOnlyForTheirOwnSize() {
        long block = heap.append(300);
        heap.append(1);
        heap.free(block, 300);

        assertThat(heap.reuse(299)).isEqualTo(BlockHeap.NO_ROOM);
        assertThat(heap.reuse(301)).isEqualTo(BlockHeap.NO_ROOM);
        assertThat(heap.reuse(300)).isEqualTo(block | BlockHeap.USED_BEFORE);
    }

    @Test
    void keepsFreedBlocksUpToTheNamedLengthOnly() {
        long kept = heap.append(FreeBlocks.MAX_BLOCK_BYTES);
        long dropped = heap.append(FreeBlocks.MAX_BLOCK_BYTES + 1);
        heap.append(1);

        heap.free(kept, FreeBlocks.MAX_BLOCK_BYTES);
        heap.free(dropped, FreeBlocks.MAX_BLOCK_BYTES + 1);

        assertThat(heap.reuse(FreeBlocks.MAX_BLOCK_BYTES + 1)).isEqualTo(BlockHeap.NO_ROOM);
        assertThat(heap.reuse(FreeBlocks.MAX_BLOCK_BYTES)).isEqualTo(kept | BlockHeap.USED_BEFORE);
    }

    @Test
    void leavesTheReserveToTheCompactor() {
        heap.append(LIMIT);
        int moved = 0;
        while (heap.appendForMove(SEGMENT) != BlockHeap.NO_ROOM) {
            moved++;
        }

        assertThat(moved).isEqualTo(BlockHeap.RESERVE_SEGMENTS);
        assertThat(heap.append(1)).isEqualTo(BlockHeap.NO_ROOM);
    }

    @Test
    void findsARunOfFreeSegmentsBetweenOthers() {
        long[] blocks = new long[SEGMENTS];
        for (int i = 0; i < SEGMENTS; i++) {
            blocks[i] = heap.append(SEGMENT);
        }
        for (int i = 4; i < 7; i++) {
            heap.free(blocks[i], SEGMENT);
        }
        assertThat(heap.append(3 * SEGMENT + 1)).as("too long").isEqualTo(BlockHeap.NO_ROOM);

        long run = heap.append(3 * SEGMENT);

        assertThat(run).isNotEqualTo(BlockHeap.NO_ROOM);
        assertThat(heap.usedBytes()).isEqualTo(LIMIT);
        assertThat(heap.append(1)).isEqualTo(BlockHeap.NO_ROOM);
    }

    @Test
    void offersTheOldBytesOfAFreedSegmentAsUsed() {
        long block = heap.append(SEGMENT);
        heap.append(SEGMENT);
        NativeMemory.fill(block, SEGMENT, (byte) 9);
        heap.free(block, SEGMENT);
        for (int i = 0; i < SEGMENTS - 1; i++) {
            long again = heap.append(SEGMENT);
            long address = again & ~BlockHeap.USED_BEFORE;
            assertThat(again).isNotEqualTo(BlockHeap.NO_ROOM);
            if (NativeMemory.getByte(address) != 0) {
                assertThat(again & BlockHeap.USED_BEFORE).as("must be cleared").isNotZero();
            }
        }

        assertThat(heap.usedBytes()).isEqualTo(LIMIT);
    }

    @Test
    void neverChoosesAFullOrTheOpenSegmentAsAVictim() {
        heap.append(SEGMENT);
        long open = heap.append(10);

        assertThat(heap.victims(0, Long.MAX_VALUE)).isEmpty();
        assertThat(heap.freeIfEmpty(heap.segmentOf(open))).isFalse();
        heap.free(open, 10);
        assertThat(heap.freeIfEmpty(heap.segmentOf(open))).as("still open").isFalse();
    }
}
