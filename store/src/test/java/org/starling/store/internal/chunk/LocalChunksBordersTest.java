package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.ChunkEntryLayout.PAGE_ENTRIES;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;
import org.starling.store.StoreStatistics;

/** Lengths where the header grows, ids at the ends of pages, and every refusal of the store. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LocalChunksBordersTest {
    private static final int NODE = 6;
    private static final long HEAP = 64 << 20;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final LocalChunks chunks = new LocalChunks(NODE, HEAP);

    @AfterEach
    void leavesNoMemoryBehind() {
        chunks.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 65_535, 65_536, (1 << 24) - 1, 1 << 24})
    void keepsAChunkOfEveryHeaderLengthBetweenItsNeighbours(int bytes) {
        long before = chunks.create(3);
        long id = chunks.create(bytes);
        long after = chunks.create(3);
        byte[] value = new byte[bytes];
        Arrays.fill(value, (byte) 0xA5);
        chunks.put(before, new byte[] {1, 2, 3});
        chunks.put(after, new byte[] {4, 5, 6});

        assertThat(allEqual(chunks.get(id), 0)).as("zero at first").isTrue();
        chunks.put(id, value);

        assertThat(chunks.sizeOrAbsent(id)).isEqualTo(bytes);
        assertThat(Arrays.equals(chunks.get(id), value)).isTrue();
        assertThat(chunks.get(before)).containsExactly(1, 2, 3);
        assertThat(chunks.get(after)).containsExactly(4, 5, 6);
        chunks.remove(id);
        assertThat(chunks.statistics().payloadBytes()).isEqualTo(6);
        assertThat(chunks.statistics().headerBytes()).isEqualTo(2);
    }

    @Test
    void resizesAcrossEveryBorderUpAndDown() {
        int[] sizes = {0, 1, 255, 256, 255, 65_535, 65_536, 65_535, (1 << 24) - 1, 1 << 24, 256, 0};
        long id = chunks.create(0);
        int kept = 0;
        for (int bytes : sizes) {
            chunks.resize(id, bytes);
            byte[] value = chunks.get(id);
            kept = Math.min(kept, bytes);

            assertThat(value).hasSize(bytes);
            assertThat(allEqual(Arrays.copyOf(value, kept), 7)).as("kept, %d", bytes).isTrue();
            assertThat(allEqual(Arrays.copyOfRange(value, kept, bytes), 0))
                    .as("added, %d", bytes)
                    .isTrue();

            Arrays.fill(value, (byte) 7);
            chunks.put(id, value);
            kept = bytes;
        }
        assertThat(chunks.statistics().chunks()).isEqualTo(1);
        assertThat(chunks.statistics().payloadBytes()).isZero();
    }

    @Test
    void clearsBlocksThatAreUsedAgain() {
        long id = chunks.create(100);
        chunks.put(id, filled(100));
        chunks.remove(id);

        long again = chunks.create(100);
        assertThat(chunks.get(again)).containsOnly(0);

        chunks.put(again, filled(100));
        chunks.remove(again);
        long range = chunks.createRange(new Sizes.InArray(new int[] {40, 58}, 0, 2));
        assertThat(chunks.get(range)).containsOnly(0);
        assertThat(chunks.get(range + 1)).containsOnly(0);
    }

    @Test
    void createsAllOfARangeOrNothing() {
        long kept = chunks.create(1 << 20);
        StoreStatistics before = chunks.statistics();
        int[] sizes = new int[64];
        Arrays.fill(sizes, 1 << 20);

        assertThatThrownBy(() -> chunks.createRange(new Sizes.InArray(sizes, 0, 64)))
                .isInstanceOf(OutOfChunkMemoryException.class);
        sizes[63] = -1;
        assertThatThrownBy(() -> chunks.createRange(new Sizes.InArray(sizes, 0, 64)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("chunk 63");
        assertThatThrownBy(() -> chunks.createRange(new Sizes.Uniform(1 << 16, 1 << 30)))
                .as("sums beyond 2^32")
                .isInstanceOf(OutOfChunkMemoryException.class);

        assertThat(chunks.statistics()).isEqualTo(before);
        assertThat(chunks.create(1)).as("no id is used up").isEqualTo(kept + 1);
    }

    @Test
    void fillsTheHeapToTheLastByteAndAgainAfterARemove() {
        int block = (1 << 20) - 3;
        long first = chunks.createRange(new Sizes.Uniform((int) (HEAP >> 20), block));

        assertThat(chunks.statistics().heapUsedBytes()).isEqualTo(HEAP);
        assertThatThrownBy(() -> chunks.create(0)).isInstanceOf(OutOfChunkMemoryException.class);
        chunks.remove(first + 7);

        assertThat(chunks.get(chunks.create(block))).hasSize(block);
        assertThatThrownBy(() -> chunks.create(0)).isInstanceOf(OutOfChunkMemoryException.class);
    }

    @Test
    void refusesNegativeAndImpossibleLengths() {
        long id = chunks.create(5);
        StoreStatistics before = chunks.statistics();

        assertThatThrownBy(() -> chunks.create(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> chunks.resize(id, -1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> chunks.put(id, 0, -1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> chunks.create(Integer.MAX_VALUE))
                .isInstanceOf(OutOfChunkMemoryException.class);
        assertThatThrownBy(() -> chunks.resize(id, Integer.MAX_VALUE))
                .isInstanceOf(OutOfChunkMemoryException.class);

        assertThat(chunks.statistics()).isEqualTo(before);
        assertThat(chunks.get(id)).hasSize(5);
    }

    @Test
    void takesOnlyWhatFitsIntoTheCallersMemory() {
        long id = chunks.create(16);
        chunks.put(id, filled(16));
        long memory = NativeMemory.reserve(4096);
        try {
            NativeMemory.putByte(memory + 16, (byte) 99);
            assertThatThrownBy(() -> chunks.getOrAbsent(id, memory, 15))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("16 bytes")
                    .hasMessageContaining("15");
            assertThat(NativeMemory.getLong(memory)).as("nothing is written").isZero();
            assertThatThrownBy(() -> chunks.getOrAbsent(id, memory, -1))
                    .isInstanceOf(IllegalArgumentException.class);

            assertThat(chunks.getOrAbsent(id, memory, 16)).isEqualTo(16);
            assertThat(NativeMemory.getByte(memory + 15)).isNotZero();
            assertThat(NativeMemory.getByte(memory + 16)).isEqualTo((byte) 99);
            assertThat(chunks.getOrAbsent(id + 1, memory, 16)).isEqualTo(-1);
        } finally {
            NativeMemory.release(memory, 4096);
        }
        assertThatThrownBy(() -> chunks.getUpTo(id, 15))
                .isInstanceOf(IllegalArgumentException.class);
        chunks.put(id, filled(3));
        assertThat(chunks.get(id)).as("the lock was given back").hasSize(3);
    }

    @Test
    void answersEveryOperationOnAForgedIdWithItsAbsence() {
        long id = chunks.create(1);
        long removed = chunks.create(1);
        chunks.remove(removed);
        long[] forged = {
            removed,
            id + 2,
            ChunkId.of(NODE, PAGE_ENTRIES),
            ChunkId.of(NODE, 1L << 40),
            ChunkId.of(NODE, ChunkId.MAX_LOCAL),
            ChunkId.of(NODE + 1, 0),
            ChunkId.NONE,
            Long.MIN_VALUE
        };
        for (long wrong : forged) {
            String name = ChunkId.toString(wrong);
            assertThat(chunks.sizeOrAbsent(wrong)).as(name).isEqualTo(-1);
            assertThat(chunks.getOrNull(wrong)).as(name).isNull();
            assertThatThrownBy(() -> chunks.get(wrong)).isInstanceOf(ChunkNotFoundException.class);
            assertThatThrownBy(() -> chunks.put(wrong, new byte[1]))
                    .isInstanceOf(ChunkNotFoundException.class)
                    .hasMessageContaining(name);
            assertThatThrownBy(() -> chunks.resize(wrong, 9))
                    .isInstanceOf(ChunkNotFoundException.class);
            assertThatThrownBy(() -> chunks.remove(wrong))
                    .isInstanceOf(ChunkNotFoundException.class);
            assertThatThrownBy(() -> chunks.pin(wrong, 1))
                    .isInstanceOf(ChunkNotFoundException.class);
        }
        assertThat(chunks.statistics().chunks()).isEqualTo(1);
        assertThat(chunks.statistics().payloadBytes()).isEqualTo(1);
    }

    @Test
    void refusesRangesThatAreNone() {
        long id = chunks.create(1);

        for (int count : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> chunks.pin(id, count)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> chunks.removeRange(id, count))
                    .isInstanceOf(StoreException.class);
        }
        long last = ChunkId.of(NODE, ChunkId.MAX_LOCAL);
        assertThatThrownBy(() -> chunks.removeRange(last, 2)).isInstanceOf(StoreException.class);
        assertThat(chunks.removeRange(last, 1)).isZero();
        assertThatThrownBy(() -> chunks.pin(id, Integer.MAX_VALUE))
                .isInstanceOf(ChunkNotFoundException.class);
        assertThat(chunks.removeRange(id, 1)).isEqualTo(1);
    }

    @Test
    void removesARangeWithHolesAcrossAPage() {
        long first = chunks.createRange(new Sizes.Uniform(PAGE_ENTRIES + 100, 2));
        chunks.remove(first + PAGE_ENTRIES - 1);
        chunks.remove(first + PAGE_ENTRIES + 1);

        assertThat(chunks.removeRange(first + PAGE_ENTRIES - 3, 6)).isEqualTo(4);

        assertThat(chunks.sizeOrAbsent(first + PAGE_ENTRIES - 4)).isEqualTo(2);
        assertThat(chunks.sizeOrAbsent(first + PAGE_ENTRIES)).isEqualTo(-1);
        assertThat(chunks.sizeOrAbsent(first + PAGE_ENTRIES + 3)).isEqualTo(2);
        assertThat(chunks.removeRange(first, PAGE_ENTRIES + 100)).isEqualTo(PAGE_ENTRIES + 94);
        assertThat(chunks.statistics().payloadBytes()).isZero();
    }

    @Test
    void refusesChangesOfEveryChunkOfAPinThatCrossesAPageAndOfNoOther() {
        long first = chunks.createRange(new Sizes.Uniform(2 * PAGE_ENTRIES, 2));
        long from = first + PAGE_ENTRIES - 2;
        try (PinnedRange pinned = chunks.pin(from, 4)) {
            for (int i = 0; i < 4; i++) {
                long id = from + i;
                assertThatThrownBy(() -> chunks.remove(id))
                        .isInstanceOf(ChunkPinnedException.class);
                assertThatThrownBy(() -> chunks.resize(id, 1))
                        .isInstanceOf(ChunkPinnedException.class);
                chunks.put(id, new byte[] {(byte) i, 9});
                assertThat(NativeMemory.getByte(pinned.address(i))).isEqualTo((byte) i);
                assertThat(pinned.bytes(i)).isEqualTo(2);
            }
            assertThat(pinned.pageEnd(0)).isEqualTo(2);
            assertThat(pinned.pageEnd(1)).isEqualTo(2);
            assertThat(pinned.pageEnd(2)).isEqualTo(4);
            chunks.remove(from - 1);
            chunks.resize(from + 4, 300);
        }
        assertThat(chunks.removeRange(from, 4)).isEqualTo(4);
    }

    @Test
    void staysPinnedUntilTheLastOfTwoPinsIsClosed() {
        long id = chunks.create(8);
        PinnedRange one = chunks.pin(id, 1);
        PinnedRange other = chunks.pin(id, 1);

        one.close();
        one.close();
        assertThatThrownBy(() -> chunks.remove(id)).isInstanceOf(ChunkPinnedException.class);
        other.close();

        chunks.remove(id);
    }

    @Test
    void removesNothingOfARangeOfWhichOneIsPinned() {
        long first = chunks.createRange(new Sizes.Uniform(10, 50));
        try (PinnedRange pinned = chunks.pin(first + 4, 1)) {
            assertThatThrownBy(() -> chunks.removeRange(first, 10))
                    .isInstanceOf(ChunkPinnedException.class)
                    .hasMessageContaining(ChunkId.toString(first + 4));
            assertThat(pinned.count()).isEqualTo(1);
        }

        assertThat(chunks.statistics().chunks()).isEqualTo(10);
        assertThat(chunks.removeRange(first, 10)).isEqualTo(10);
    }

    @Test
    void movesBlocksThatFillASegmentFromItsNeighboursLastByte() {
        // 65535 bytes and 2 of header: with an odd start such a block lies in three segments.
        long first = chunks.createRange(new Sizes.Uniform(900, 65_535));
        for (int i = 0; i < 900; i++) {
            chunks.put(first + i, new byte[] {(byte) i, (byte) (i >> 8)});
            chunks.resize(first + i, i % 3 == 0 ? 65_535 : 10);
        }
        for (int pass = 0; pass < 5; pass++) {
            chunks.compact();
        }

        for (int i = 0; i < 900; i++) {
            byte[] value = chunks.get(first + i);
            assertThat(value).hasSize(i % 3 == 0 ? 65_535 : 10);
            assertThat(value[0] == (byte) i && value[1] == (byte) (i >> 8)).isTrue();
        }
        StoreStatistics after = chunks.statistics();
        assertThat(after.heapUsedBytes())
                .isLessThan(after.payloadBytes() + after.headerBytes() + (6 << 20));
    }

    @Test
    void refusesEverythingOnceItIsStopped() {
        long id = chunks.create(1);
        chunks.stop();

        assertClosed(() -> chunks.create(1));
        assertClosed(() -> chunks.createRange(new Sizes.Uniform(1, 1)));
        assertClosed(() -> chunks.get(id));
        assertClosed(() -> chunks.sizeOrAbsent(id));
        assertClosed(() -> chunks.put(id, new byte[1]));
        assertClosed(() -> chunks.resize(id, 2));
        assertClosed(() -> chunks.remove(id));
        assertClosed(() -> chunks.pin(id, 1));
        assertClosed(chunks::compact);
        assertClosed(chunks::maintain);
        assertThat(chunks.statistics().chunks()).isEqualTo(1);
    }

    private static void assertClosed(Runnable operation) {
        assertThatThrownBy(operation::run)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed or expelled");
    }

    private static byte[] filled(int bytes) {
        byte[] value = new byte[bytes];
        Arrays.fill(value, (byte) 0x7E);
        return value;
    }

    private static boolean allEqual(byte[] bytes, int value) {
        for (byte one : bytes) {
            if (one != value) {
                return false;
            }
        }
        return true;
    }
}
