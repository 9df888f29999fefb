package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.StoreException;

/** Chunks put back under the ids they had, and what can be done with them afterwards. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ZoneRestoreTest {
    private static final long SEED = Long.getLong("starling.seed", 17L);
    private static final long ZONE = ChunkId.zoneOf(3, 12);
    private static final int SCRATCH_BYTES = 1 << 16;
    private static final int THREADS = 3;

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final LocalChunks chunks = new LocalChunks(8, 32 << 20);
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void leavesNoMemoryBehind() {
        threads.shutdownNow();
        chunks.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void isInvisibleUntilALogIsAttached() {
        chunks.openZone(ZONE, null);
        restore(7, new byte[] {1, 2, 3});

        assertThat(chunks.hasZone(ZONE)).isFalse();
        assertThat(chunks.zones()).isEmpty();
        assertThat(chunks.getOrNull(id(7))).isNull();
        assertThatThrownBy(() -> chunks.create(ZONE, new Sizes.Uniform(1, 1), WriteTag.NONE))
                .isInstanceOf(StoreException.class);
        assertThat(RecordedLog.contentOf(chunks, ZONE)).hasSize(1);
        chunks.attachLog(ZONE, new RecordedLog());

        assertThat(chunks.get(id(7))).containsExactly(1, 2, 3);
        assertThat(chunks.hasZone(ZONE)).isTrue();
        assertThatThrownBy(() -> restore(8, new byte[1]))
                .hasMessageContaining("not being restored");
    }

    @Test
    void createsOrReplacesWithAnyLength() {
        chunks.openZone(ZONE, null);

        restore(5, new byte[] {1, 2, 3});
        restore(5, new byte[] {4, 5, 6});
        restore(6, new byte[] {7});
        restore(6, new byte[] {8, 9});
        restore(6, new byte[0]);
        chunks.restoreRange(id(4), new Sizes.InArray(new int[] {2, 1, 3}, 0, 3));
        chunks.restoreRange(id(20), new Sizes.Uniform(2, 4));
        chunks.attachLog(ZONE, RecordedLog.NOWHERE);

        assertThat(chunks.get(id(4))).containsExactly(0, 0);
        assertThat(chunks.get(id(5))).containsExactly(0);
        assertThat(chunks.get(id(6))).containsExactly(0, 0, 0);
        assertThat(chunks.get(id(21))).containsExactly(0, 0, 0, 0);
        assertThat(chunks.statistics().chunks()).isEqualTo(5);
        assertThat(chunks.statistics().payloadBytes()).isEqualTo(14);
        assertThat(chunks.zoneBytes(ZONE)).isEqualTo(19);
    }

    @Test
    void opensAnEmptyZoneWhenNothingWasRestored() {
        chunks.attachLog(ZONE, RecordedLog.NOWHERE);

        assertThat(chunks.create(ZONE, new Sizes.Uniform(2, 1), WriteTag.NONE).first())
                .isEqualTo(id(0));
    }

    @Test
    void usesFreeIdsBelowTheGreatestAgainAndNoOthers() {
        chunks.openZone(ZONE, null);
        Set<Long> restored = new HashSet<>();
        for (int i = 0; i < 100_000; i += 10) {
            restore(i, new byte[] {9});
            restored.add(id(i));
        }
        chunks.attachLog(ZONE, RecordedLog.NOWHERE);

        long greatest = 0;
        for (int i = 0; i < 60_000; i++) {
            long fresh = chunks.create(ZONE, new Sizes.Uniform(1, 1), WriteTag.NONE).first();
            assertThat(restored.add(fresh)).as("id %d handed out twice", fresh).isTrue();
            greatest = Math.max(greatest, fresh);
        }

        assertThat(greatest).isLessThan(id(100_000));
        assertThat(chunks.get(id(99_990))).containsExactly(9);
    }

    @Test
    void restoresTheGreatestIndexAndStillFindsRoomBelow() {
        chunks.openZone(ZONE, null);
        int last = ChunkId.ZONE_IDS - 1;
        restore(last, new byte[] {5});
        chunks.attachLog(ZONE, RecordedLog.NOWHERE);

        long fresh = chunks.create(ZONE, new Sizes.Uniform(3, 1), WriteTag.NONE).first();

        assertThat(chunks.get(id(last))).containsExactly(5);
        assertThat(fresh).isBetween(id(0), id(last - 3));
        assertThatThrownBy(() -> chunks.restoreRange(id(last), new Sizes.Uniform(2, 1)))
                .hasMessageContaining("one zone");
        chunks.closeZone(ZONE);
        assertThat(chunks.statistics().chunks()).isZero();
    }

    @Test
    void dropsAZoneThatIsHalfRestoredAndStartsAfresh() {
        chunks.openZone(ZONE, null);
        restore(3, new byte[100]);
        chunks.restoreRange(id(1000), new Sizes.Uniform(500, 30));

        chunks.closeZone(ZONE);

        assertThat(chunks.statistics().chunks()).isZero();
        assertThat(chunks.statistics().payloadBytes()).isZero();
        chunks.openZone(ZONE, null);
        restore(4, new byte[] {1});
        chunks.attachLog(ZONE, RecordedLog.NOWHERE);
        assertThat(chunks.getOrNull(id(3))).isNull();
        assertThat(chunks.get(id(4))).containsExactly(1);
    }

    @Test
    void restoresOnSeveralThreadsWhileTheHeapIsCompacted() throws Exception {
        chunks.openZone(ZONE, null);
        List<Callable<Map<Long, List<Byte>>>> work = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            work.add(() -> restoreEvery(thread));
        }

        Map<Long, List<Byte>> expected = new TreeMap<>();
        for (Future<Map<Long, List<Byte>>> done : threads.invokeAll(work)) {
            expected.putAll(done.get());
        }
        RecordedLog log = new RecordedLog();
        chunks.attachLog(ZONE, log);

        assertThat(RecordedLog.contentOf(chunks, ZONE)).isEqualTo(expected);
        long first = chunks.create(ZONE, new Sizes.Uniform(2, 3), WriteTag.NONE).first();
        assertThat(expected).doesNotContainKeys(first, first + 1);
        assertThat(chunks.put(first, new byte[9], WriteTag.NONE)).isEqualTo(2);
        assertThat(chunks.statistics().chunks()).isEqualTo(expected.size() + 2);
    }

    /** Creates and replaces chunks of the ids that belong to one thread. */
    private Map<Long, List<Byte>> restoreEvery(int thread) {
        Map<Long, List<Byte>> mine = new TreeMap<>();
        Random random = new Random(SEED + thread);
        long scratch = NativeMemory.reserve(SCRATCH_BYTES);
        try {
            for (int i = 0; i < 12_000; i++) {
                int index = random.nextInt(4_000) * THREADS + thread;
                byte[] value = new byte[random.nextInt(600)];
                random.nextBytes(value);
                NativeMemory.copyFromArray(value, 0, scratch, value.length);
                if (random.nextInt(8) == 0) {
                    value = new byte[value.length];
                    chunks.restoreRange(id(index), new Sizes.Uniform(1, value.length));
                } else {
                    chunks.restore(id(index), scratch, value.length);
                }
                mine.put(id(index), RecordedLog.boxed(value));
                if (i % 1000 == 0) {
                    chunks.compact();
                }
            }
        } finally {
            NativeMemory.release(scratch, SCRATCH_BYTES);
        }
        return mine;
    }

    private void restore(int index, byte[] value) {
        long scratch = NativeMemory.reserve(SCRATCH_BYTES);
        try {
            NativeMemory.copyFromArray(value, 0, scratch, value.length);
            chunks.restore(id(index), scratch, value.length);
        } finally {
            NativeMemory.release(scratch, SCRATCH_BYTES);
        }
    }

    private static long id(int index) {
        return ChunkId.ofZone(ZONE, index);
    }
}
