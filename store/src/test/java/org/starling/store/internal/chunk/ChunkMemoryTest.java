package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.PinnedRange;
import org.starling.store.StoreStatistics;

/** The memory that the operating system counts follows what lives. */
@Timeout(60)
class ChunkMemoryTest {
    /** Of a heap with so much room beyond what lives that it never has to look for free memory. */
    private static final int LIMIT_FACTOR = 6;

    private static final double MOST = 1.15;
    private static final int MEAN_BYTES = 190;
    private static final int ROUNDS = 5;

    private final Random random = new Random(5);

    @Tag("thorough")
    @Test
    void followsWhatLivesWhenHalfIsRemovedAndMadeAgain() throws Exception {
        churn(200_000, 20, 0);
    }

    /** With all the time that the kernel wants to put pages together again. */
    @Tag("slow")
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void followsWhatLivesForAMinuteWithAGigabyte() throws Exception {
        churn(4_000_000, 120, 500);
    }

    @Test
    void keepsWhatAHeapInUseFreesAndTakesAgain() {
        BlockHeap heap = new BlockHeap(256L << 20);
        try {
            long bytes = heap.segmentBytes();
            long[] blocks = new long[64];
            for (int round = 0; round < 10; round++) {
                for (int i = 0; i < blocks.length; i++) {
                    blocks[i] = heap.append(bytes) & ~BlockHeap.USED_BEFORE;
                }
                for (long block : blocks) {
                    heap.free(block, bytes);
                }

                assertThat(heap.idleSegments()).as("round %d", round).isLessThanOrEqualTo(1);
            }
            assertThat(heap.idleSegments()).isGreaterThanOrEqualTo(blocks.length / 2 - 1);
        } finally {
            heap.close();
        }
    }

    @Test
    void usesMemoryThatItHasBeforeFreshMemory() {
        BlockHeap heap = new BlockHeap(256L << 20);
        try {
            long bytes = heap.segmentBytes();
            long first = heap.append(bytes);
            long second = heap.append(bytes);
            heap.free(first, bytes);

            assertThat(heap.append(bytes)).isEqualTo(first | BlockHeap.USED_BEFORE);
            assertThat(heap.append(bytes)).isEqualTo(second + bytes);
        } finally {
            heap.close();
        }
    }

    // private

    private void churn(int chunks, int rests, int restMillis) throws Exception {
        long reservedBefore = NativeMemory.reservedBytes();
        try (LocalChunks store = new LocalChunks(1, (long) LIMIT_FACTOR * chunks * MEAN_BYTES)) {
            long[] ids = new long[chunks];
            long keeper = store.create(1);
            long others = resident(store, keeper);
            fill(store, ids);
            for (int round = 0; round < ROUNDS; round++) {
                removeHalf(store, ids);
                fill(store, ids);
            }
            rest(store, rests, restMillis);
            check(store, keeper, others);
            removeHalf(store, ids);
            rest(store, rests, restMillis);
            check(store, keeper, others);
            for (long id : ids) {
                if (id != 0) {
                    store.remove(id);
                }
            }
            rest(store, rests, restMillis);

            assertThat(resident(store, keeper) - others).isLessThan(8L << 20);
        }
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    private void check(LocalChunks store, long keeper, long others) throws IOException {
        StoreStatistics now = store.statistics();
        assertThat((double) (resident(store, keeper) - others))
                .as("%s", now)
                .isLessThan(MOST * (now.payloadBytes() + now.headerBytes()) + now.tableBytes());
    }

    private void fill(LocalChunks store, long[] ids) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == 0) {
                byte[] value = new byte[random.nextInt(2 * MEAN_BYTES)];
                ids[i] = store.create(value.length);
                store.put(ids[i], value);
            }
        }
    }

    private void removeHalf(LocalChunks store, long[] ids) {
        for (int i = 0; i < ids.length; i++) {
            if (random.nextBoolean()) {
                store.remove(ids[i]);
                ids[i] = 0;
            }
        }
    }

    private static void rest(LocalChunks store, int rounds, int millis) {
        for (int i = 0; i < rounds; i++) {
            store.maintain();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    /**
     * Of the mapping that a chunk lies in: the heap, and whatever other memory of this process lies
     * next to it, the table of the chunks for example, as the kernel makes one mapping of
     * neighbours.
     */
    private static long resident(LocalChunks store, long id) throws IOException {
        long address;
        try (PinnedRange range = store.pin(id, 1)) {
            address = range.address(0);
        }
        boolean isInside = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                String[] ends = line.substring(0, line.indexOf(' ')).split("-", 2);
                isInside =
                        Long.parseUnsignedLong(ends[0], 16) <= address
                                && address < Long.parseUnsignedLong(ends[1], 16);
            } else if (isInside && line.startsWith("Rss:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new AssertionError("no mapping holds address " + Long.toHexString(address));
    }
}
