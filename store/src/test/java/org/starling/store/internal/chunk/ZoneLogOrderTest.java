package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.PinnedRange;

/**
 * Random operations of several threads on the same few chunks of a zone: what the zone's log says,
 * replayed from the start, is what the zone holds. Seeds can be given with -Dstarling.seed=….
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ZoneLogOrderTest {
    private static final long SEED = Long.getLong("starling.seed", 77L);
    private static final int THREADS = 3;
    private static final int SLOTS = 12;
    private static final int LARGEST = 40;
    private static final long ZONE = ChunkId.zoneOf(5, 9);

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void leavesNoMemoryBehind() {
        threads.shutdownNow();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void replaysToWhatTheZoneHolds() throws Exception {
        for (int round = 0; round < 60; round++) {
            RecordedLog log = new RecordedLog();

            String difference = difference(log, () -> {}, SEED + round, 400);

            assertThat(difference).as("seed %d", SEED + round).isEmpty();
        }
    }

    @Test
    void wouldNoticeIfChangesWereLoggedAfterTheirChunkIsLeft() throws Exception {
        int found = 0;
        for (int round = 0; round < 2_000 && found == 0; round++) {
            RecordedLog.AfterTheFact log = new RecordedLog.AfterTheFact();

            found += difference(log, log::afterOperation, SEED + round, 60).isEmpty() ? 0 : 1;
        }

        assertThat(found).isPositive();
    }

    /** Runs operations and returns in which way log and content differ, empty if they do not. */
    private String difference(RecordedLog log, Runnable afterOperation, long seed, int steps)
            throws Exception {
        try (LocalChunks chunks = new LocalChunks(2, 4 << 20)) {
            chunks.openZone(ZONE, log);
            AtomicLongArray slots = new AtomicLongArray(SLOTS);
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Callable<Void>> work = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(seed * THREADS + i);
                work.add(() -> {
                    start.await();
                    for (int step = 0; step < steps; step++) {
                        operate(chunks, slots, random);
                        afterOperation.run();
                    }
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
            Map<Long, List<Byte>> held = RecordedLog.contentOf(chunks, ZONE);
            Map<Long, List<Byte>> logged = log.replayed();
            return held.equals(logged) ? "" : "held " + held + ", logged " + logged;
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void operate(LocalChunks chunks, AtomicLongArray slots, Random random) {
        int slot = random.nextInt(SLOTS);
        long id = slots.get(slot);
        WriteTag tag = new WriteTag(7, random.nextLong());
        try {
            switch (id == 0 ? 0 : random.nextInt(12)) {
                case 0 -> {
                    int count = 1 + random.nextInt(6);
                    int[] sizes = random.ints(count, 0, LARGEST).toArray();
                    Sizes range = new Sizes.InArray(sizes, 0, count);
                    slots.set(slot, chunks.create(ZONE, range, tag).first());
                }
                case 1 -> chunks.resize(id, random.nextInt(LARGEST), tag);
                case 2 -> chunks.removeRange(Math.max(id - 2, ZONE << 28), 5, tag);
                case 3 -> chunks.remove(id, tag);
                case 4 -> logUnderPin(chunks, id, random);
                case 5 -> chunks.compact();
                case 6 -> chunks.get(id);
                default -> chunks.put(id, value(random), tag);
            }
        } catch (ChunkNotFoundException e) {
            slots.compareAndSet(slot, id, 0);
        } catch (ChunkPinnedException e) {
            assertThat(e.id() >>> 28).isEqualTo(ZONE);
        }
    }

    /** Logs what is there under a pin, which makes resizing it meanwhile fail. */
    private static void logUnderPin(LocalChunks chunks, long id, Random random) {
        try (PinnedRange range = chunks.pin(id, 1)) {
            if (range.bytes(0) > 0) {
                chunks.logPresent(id, 1);
            }
            chunks.put(id, value(random), WriteTag.NONE);
        }
    }

    private static byte[] value(Random random) {
        byte[] value = new byte[random.nextInt(3) == 0 ? random.nextInt(LARGEST) : 8];
        random.nextBytes(value);
        return value;
    }
}
