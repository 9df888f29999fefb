package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;
import org.starling.store.ChunkId;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.PinnedRange;
import org.starling.store.StoreStatistics;

/**
 * Random operations on the local store beside a map of byte arrays. Seeds can be given with
 * -Dstarling.seed=….
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LocalChunksModelTest {
    private static final int NODE = ChunkModel.NODE;
    private static final long SEED = Long.getLong("starling.seed", 20_260_101L);

    private final long reservedBefore = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNoMemoryBehind() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void behavesLikeAMapOfArrays() {
        for (long seed = SEED; seed < SEED + 3; seed++) {
            try (ChunkModel model = new ChunkModel(seed, 16 << 20)) {
                model.run(40_000, 3_000, 300);
                model.checkAll();
            }
        }
    }

    @Test
    void behavesLikeAMapOfArraysWithLargeChunks() {
        try (ChunkModel model = new ChunkModel(SEED, 48 << 20)) {
            model.run(2_000, 60, 300_000);
            model.checkAll();
        }
    }

    @Test
    void staysCloseToItsLiveDataWhenChurned() {
        for (int largest : new int[] {40, 300, 3_000}) {
            try (ChunkModel model = new ChunkModel(SEED + largest, 15 << 20)) {
                int target = (8 << 20) / (largest / 2 + 9);
                model.fill(target, largest);
                for (int round = 0; round < 2; round++) {
                    model.churn(target / 2, largest + round * largest / 4);
                    model.chunks.maintain();
                    StoreStatistics after = model.chunks.statistics();
                    long live = after.payloadBytes() + after.headerBytes();

                    assertThat(after.heapUsedBytes())
                            .as(
                                    "seed %d, sizes up to %d, round %d: %s",
                                    SEED + largest, largest, round, after)
                            .isLessThanOrEqualTo((long) (live * 1.15));
                    assertThat(after.tableBytes())
                            .isLessThanOrEqualTo((long) (after.chunks() * 8 * 1.15) + 524_288);
                }
                model.checkAll();
            }
        }
    }

    @Test
    void usesFreedIdsAgain() {
        try (LocalChunks chunks = new LocalChunks(NODE, 64 << 20)) {
            long first = chunks.createRange(new Sizes.Uniform(100_000, 8));
            for (int i = 0; i < 100_000; i += 2) {
                chunks.remove(first + i);
            }
            long greatest = 0;
            for (int i = 0; i < 45_000; i++) {
                greatest = Math.max(greatest, chunks.create(8));
            }

            assertThat(greatest).isLessThan(first + 100_000 + 5_000);
            assertThat(chunks.statistics().chunks()).isEqualTo(95_000);
        }
    }

    @Test
    void usesTheIdsOfRemovedRangesAgain() {
        try (LocalChunks chunks = new LocalChunks(NODE, 64 << 20)) {
            long greatest = 0;
            for (int round = 0; round < 40; round++) {
                long first = chunks.createRange(new Sizes.Uniform(70_000, 16));
                greatest = Math.max(greatest, first);
                assertThat(chunks.removeRange(first, 70_000)).isEqualTo(70_000);
            }

            assertThat(greatest - ChunkId.of(NODE, 0)).isLessThan(8 * 70_000);
            assertThat(chunks.statistics().heapUsedBytes()).isLessThan(8 << 20);
        }
    }

    @Test
    void countsOverheadAsTheLayoutSays() {
        try (LocalChunks chunks = new LocalChunks(NODE, 64 << 20)) {
            chunks.createRange(new Sizes.Uniform(1000, 64));
            chunks.createRange(new Sizes.InArray(new int[] {0, 255, 256, 65_535, 65_536}, 0, 5));

            StoreStatistics statistics = chunks.statistics();

            assertThat(statistics.chunks()).isEqualTo(1005);
            assertThat(statistics.payloadBytes()).isEqualTo(64_000 + 255 + 256 + 65_535 + 65_536);
            assertThat(statistics.headerBytes()).isEqualTo(1000 + 1 + 1 + 2 + 2 + 3);
            assertThat(statistics.tableBytes()).isEqualTo(1005 * 8);
        }
    }

    @Test
    void keepsARangeTogetherInIdOrder() {
        int[] sizes = new Random(SEED).ints(50_000, 0, 600).toArray();
        try (LocalChunks chunks = new LocalChunks(NODE, 64 << 20)) {
            chunks.create(17);
            long first = chunks.createRange(new Sizes.InArray(sizes, 0, sizes.length));

            try (PinnedRange range = chunks.pin(first, sizes.length)) {
                for (int i = 1; i < sizes.length; i++) {
                    long gap = range.address(i) - range.address(i - 1) - sizes[i - 1];

                    assertThat(gap).isEqualTo(ChunkEntryLayout.headerBytesFor(sizes[i]));
                    assertThat(range.bytes(i)).isEqualTo(sizes[i]);
                }
            }
        }
    }

    @Test
    void refusesWhatDoesNotFitAndChangesNothing() {
        try (LocalChunks chunks = new LocalChunks(NODE, 1 << 20)) {
            long kept = chunks.create(500_000);
            StoreStatistics before = chunks.statistics();

            assertThatThrownBy(() -> chunks.createRange(new Sizes.Uniform(1000, 1000)))
                    .isInstanceOf(OutOfChunkMemoryException.class)
                    .hasMessageContaining("1048576")
                    .hasMessageContaining("heapBytes");
            assertThatThrownBy(() -> chunks.resize(kept, 900_000))
                    .isInstanceOf(OutOfChunkMemoryException.class);

            assertThat(chunks.statistics()).isEqualTo(before);
            assertThat(chunks.get(kept)).hasSize(500_000);
        }
    }

    @Test
    void fillsAHeapToItsLimitAgainAfterScatteredRemoves() {
        try (LocalChunks chunks = new LocalChunks(NODE, 8 << 20)) {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 79_000; i++) {
                ids.add(chunks.create(100));
            }
            for (int i = 0; i < ids.size(); i += 2) {
                chunks.remove(ids.get(i));
            }

            // Only moving chunks makes room for blocks of another size.
            long first = chunks.createRange(new Sizes.Uniform(17_000, 200));

            assertThat(chunks.get(first + 16_999)).containsOnly(0).hasSize(200);
            assertThat(chunks.statistics().heapUsedBytes()).isLessThanOrEqualTo(8 << 20);
        }
    }
}
