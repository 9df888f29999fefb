package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;

/** Several threads at work in one store while it is compacted, pinned and closed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LocalChunksThreadsTest {
    private static final long SEED = Long.getLong("starling.seed", 31L);
    private static final int THREADS = 4;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);

    @AfterEach
    void leavesNoMemoryBehind() {
        threads.shutdownNow();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void keepsTheChunksOfAllThreadsWhileItIsCompacted() throws Exception {
        try (LocalChunks chunks = new LocalChunks(1, 16 << 20)) {
            AtomicBoolean done = new AtomicBoolean();
            List<Callable<Integer>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                long seed = SEED + thread;
                work.add(() -> churn(chunks, seed));
            }
            Future<?> compactor =
                    threads.submit(() -> {
                        while (!done.get()) {
                            chunks.compact();
                        }
                    });

            int left = 0;
            for (Future<Integer> result : threads.invokeAll(work)) {
                left += result.get();
            }
            done.set(true);
            compactor.get();

            assertThat(chunks.statistics().chunks()).isEqualTo(left);
        }
    }

    @Test
    void readersNeverSeeHalfAWriteNorAMovedBlock() throws Exception {
        try (LocalChunks chunks = new LocalChunks(1, 4 << 20)) {
            long id = chunks.create(1);
            AtomicBoolean done = new AtomicBoolean();
            Future<?> writer =
                    threads.submit(() -> {
                        Random random = new Random(SEED);
                        for (int i = 0; i < 20_000; i++) {
                            byte[] value = new byte[1 + random.nextInt(2_000)];
                            Arrays.fill(value, (byte) value.length);
                            chunks.put(id, value);
                            if (i % 16 == 0) {
                                chunks.compact();
                            }
                        }
                        done.set(true);
                    });

            int reads = 0;
            chunks.put(id, new byte[] {1});
            while (!done.get()) {
                byte[] value = chunks.get(id);
                for (byte b : value) {
                    assertThat(b == (byte) value.length).isTrue();
                }
                reads++;
            }
            writer.get();

            assertThat(reads).isPositive();
        }
    }

    @Test
    void leavesPinnedChunksWhereTheyAre() {
        try (LocalChunks chunks = new LocalChunks(1, 8 << 20)) {
            long first = chunks.createRange(new Sizes.Uniform(30_000, 100));
            try (PinnedRange pinned = chunks.pin(first + 10_000, 50)) {
                long[] addresses = new long[50];
                for (int i = 0; i < 50; i++) {
                    addresses[i] = pinned.address(i);
                    NativeMemory.putLong(addresses[i], i);
                }
                // The neighbours in the same table page can go, and the heap is compacted around
                // the pinned ones.
                for (int i = 0; i < 30_000; i++) {
                    if ((i < 10_000 || i >= 10_050) && i % 3 != 0) {
                        chunks.remove(first + i);
                    }
                }
                chunks.compact();

                for (int i = 0; i < 50; i++) {
                    assertThat(pinned.address(i)).isEqualTo(addresses[i]);
                    assertThat(NativeMemory.getLong(addresses[i])).isEqualTo(i);
                }
                assertThatThrownBy(() -> chunks.remove(first + 10_000))
                        .isInstanceOf(ChunkPinnedException.class);
                assertThatThrownBy(() -> chunks.resize(first + 10_049, 1))
                        .isInstanceOf(ChunkPinnedException.class);
                assertThatThrownBy(() -> chunks.put(first + 10_049, new byte[3]))
                        .isInstanceOf(ChunkPinnedException.class);
                assertThatThrownBy(() -> chunks.removeRange(first + 9_990, 20))
                        .isInstanceOf(ChunkPinnedException.class);
            }
            assertThat(chunks.removeRange(first, 30_000)).isPositive();
            assertThat(chunks.statistics().chunks()).isZero();
        }
    }

    @Test
    void pinsAllOrNothing() {
        try (LocalChunks chunks = new LocalChunks(1, 8 << 20)) {
            long first = chunks.createRange(new Sizes.Uniform(10, 8));
            chunks.remove(first + 5);

            assertThatThrownBy(() -> chunks.pin(first, 10))
                    .isInstanceOf(ChunkNotFoundException.class);

            chunks.remove(first);
            assertThat(chunks.statistics().chunks()).isEqualTo(8);
        }
    }

    @Test
    void crossesPagesOfTheTableWithPins() {
        try (LocalChunks chunks = new LocalChunks(1, 8 << 20)) {
            long first = chunks.createRange(new Sizes.Uniform(200_000, 4));
            try (PinnedRange pinned = chunks.pin(first + 65_000, 100_000)) {
                int end = pinned.pageEnd(0);

                assertThat(end).isEqualTo(536);
                assertThat(pinned.entryAddress(end - 1) - pinned.entryAddress(0))
                        .isEqualTo(8L * (end - 1));
                assertThat(pinned.pageEnd(99_999)).isEqualTo(100_000);
                assertThatThrownBy(() -> chunks.remove(first + 164_999))
                        .isInstanceOf(ChunkPinnedException.class);
                chunks.remove(first + 165_000);
            }
        }
    }

    @Test
    void keepsPinnedMemoryUntilItIsUnpinnedAfterClose() {
        LocalChunks chunks = new LocalChunks(1, 8 << 20);
        long id = chunks.create(8);
        PinnedRange pinned = chunks.pin(id, 1);

        chunks.close();

        NativeMemory.putLong(pinned.address(0), 5);
        assertThat(NativeMemory.getLong(pinned.address(0))).isEqualTo(5);
        assertThatThrownBy(() -> chunks.get(id))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
        assertThat(NativeMemory.reservedBytes()).isGreaterThan(reservedBefore);
        pinned.close();
        pinned.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void closesUnderThreadsThatAreAtWork() throws Exception {
        for (int round = 0; round < 30; round++) {
            LocalChunks chunks = new LocalChunks(1, 4 << 20);
            long id = chunks.create(64);
            List<Future<Boolean>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                workers.add(
                        threads.submit(() -> {
                            while (true) {
                                try {
                                    chunks.put(id, new byte[64]);
                                    chunks.get(id);
                                } catch (StoreException e) {
                                    return String.valueOf(e.getMessage()).contains("closed");
                                }
                            }
                        }));
            }

            chunks.close();

            for (Future<Boolean> worker : workers) {
                assertThat(worker.get()).isTrue();
            }
        }
    }

    /** Creates, changes and removes chunks of its own; returns how many are left. */
    private static int churn(LocalChunks chunks, long seed) throws ExecutionException {
        Random random = new Random(seed);
        List<Long> ids = new ArrayList<>();
        List<byte[]> values = new ArrayList<>();
        for (int step = 0; step < 15_000; step++) {
            int dice = random.nextInt(4);
            if (dice == 0 || ids.isEmpty()) {
                byte[] value = value(random);
                long id = chunks.create(value.length);
                chunks.put(id, value);
                ids.add(id);
                values.add(value);
                continue;
            }
            int index = random.nextInt(ids.size());
            long id = ids.get(index);
            assertThat(Arrays.equals(chunks.get(id), values.get(index)))
                    .as("seed %d, step %d", seed, step)
                    .isTrue();
            if (dice == 1) {
                byte[] value = value(random);
                chunks.put(id, value);
                values.set(index, value);
            } else if (dice == 2 && ids.size() > 300) {
                chunks.remove(id);
                ids.set(index, ids.getLast());
                values.set(index, values.getLast());
                ids.removeLast();
                values.removeLast();
            }
        }
        return ids.size();
    }

    private static byte[] value(Random random) {
        byte[] value = new byte[random.nextInt(500)];
        random.nextBytes(value);
        return value;
    }
}
