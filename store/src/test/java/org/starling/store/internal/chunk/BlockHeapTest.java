package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** Blocks allocated and freed at random, beside a map of those in use. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class BlockHeapTest {
    private static final long SEED = Long.getLong("starling.seed", 8L);
    private static final long LIMIT = 8 << 20;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final BlockHeap heap = new BlockHeap(LIMIT);

    /** End by start. */
    private final TreeMap<Long, Long> used = new TreeMap<>();

    @AfterEach
    void leavesNoMemoryBehind() {
        heap.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void neverHandsOutABlockThatOverlapsAnother() {
        Random random = new Random(SEED);
        List<Long> starts = new ArrayList<>();
        int refused = 0;
        for (int step = 0; step < 60_000; step++) {
            if (random.nextInt(100) < 55 || starts.isEmpty()) {
                long bytes =
                        random.nextInt(500) == 0
                                ? 1 + random.nextInt(500_000)
                                : 1 + random.nextInt(600);
                long start = allocate(bytes);
                if (start == BlockHeap.NO_ROOM) {
                    refused++;
                } else {
                    starts.add(start);
                }
            } else {
                int index = random.nextInt(starts.size());
                free(starts.get(index));
                starts.set(index, starts.getLast());
                starts.removeLast();
            }
            assertThat(heap.usedBytes() <= heap.limitBytes()).isTrue();
        }

        long live = used.entrySet().stream().mapToLong(e -> e.getValue() - e.getKey()).sum();
        assertThat(heap.liveBytes()).as("seed %d", SEED).isEqualTo(live);
        assertThat(refused).as("the heap was full at times").isPositive();
    }

    @Test
    void offersFreshMemoryAsZeroAndUsedMemoryAsUsed() {
        long fresh = heap.append(100);
        assertThat(fresh & BlockHeap.USED_BEFORE).isZero();
        heap.free(fresh, 100);

        long again = heap.reuse(100);

        assertThat(again).isEqualTo(fresh | BlockHeap.USED_BEFORE);
        assertThat(heap.reuse(100)).isEqualTo(BlockHeap.NO_ROOM);
    }

    @Test
    void takesALongBlockBackAtOnceAndClearsItsMemoryBeforeItIsFreshAgain() {
        long first = heap.append(6 << 20);
        NativeMemory.fill(first, 6 << 20, (byte) 1);
        heap.free(first, 6 << 20);
        assertThat(heap.usedBytes()).isLessThanOrEqualTo(heap.segmentBytes());

        for (int round = 0; round < 10; round++) {
            long block = heap.append(5 << 20);
            assertThat(block).isNotEqualTo(BlockHeap.NO_ROOM);
            long address = block & ~BlockHeap.USED_BEFORE;
            if (address == block) {
                for (long at = address; at < address + (5 << 20); at += 512) {
                    assertThat(NativeMemory.getByte(at) == 0).isTrue();
                }
            }
            NativeMemory.fill(address, 5 << 20, (byte) 1);
            heap.free(address, 5 << 20);
        }
    }

    @Test
    void choosesTheEmptiestSegmentsFirst() {
        int segment = (int) heap.segmentBytes();
        long[] blocks = new long[8];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = heap.append(segment / 2);
        }
        heap.free(blocks[4], segment / 2);
        heap.free(blocks[5], segment / 2);
        heap.free(blocks[2], segment / 2);

        int[] victims = heap.victims(0, Long.MAX_VALUE);

        assertThat(victims).hasSizeGreaterThanOrEqualTo(2);
        assertThat(victims[0]).isEqualTo(heap.segmentOf(blocks[4]));
        assertThat(victims[1]).isEqualTo(heap.segmentOf(blocks[2]));
        assertThat(heap.freeIfEmpty(victims[1])).isFalse();
        assertThat(heap.freeIfEmpty(victims[0])).isTrue();
    }

    @Test
    void keepsAtMostTheNamedNumberOfFreedBlocks() {
        FreeBlocks blocks = new FreeBlocks();
        for (long address = 1; address <= FreeBlocks.MAX_BLOCKS + 10; address++) {
            blocks.put(address, 7);
        }
        blocks.put(5, FreeBlocks.MAX_BLOCK_BYTES + 1);

        assertThat(blocks.take(7)).isEqualTo(FreeBlocks.MAX_BLOCKS);
        assertThat(blocks.take(8)).isZero();
        assertThat(blocks.take(FreeBlocks.MAX_BLOCK_BYTES + 1)).isZero();
        blocks.forgetIf((address, bytes) -> bytes == 7 && address > 2);
        assertThat(blocks.take(7)).isEqualTo(2);
        assertThat(blocks.take(7)).isEqualTo(1);
        assertThat(blocks.take(7)).isZero();
    }

    private long allocate(long bytes) {
        long block = heap.reuse(bytes);
        if (block == BlockHeap.NO_ROOM) {
            block = heap.append(bytes);
        }
        long start = block & ~BlockHeap.USED_BEFORE;
        if (start == BlockHeap.NO_ROOM) {
            return start;
        }
        Map.Entry<Long, Long> before = used.lowerEntry(start + bytes);
        assertThat(before == null || before.getValue() <= start)
                .as("seed %d: block overlaps", SEED)
                .isTrue();
        used.put(start, start + bytes);
        return start;
    }

    private void free(long start) {
        long end = Objects.requireNonNull(used.remove(start));
        heap.free(start, end - start);
    }
}
