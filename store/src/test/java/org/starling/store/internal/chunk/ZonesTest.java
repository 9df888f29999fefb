package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;
import org.starling.store.StoreStatistics;
import org.starling.store.internal.chunk.RecordedLog.Gone;
import org.starling.store.internal.chunk.RecordedLog.Made;
import org.starling.store.internal.chunk.RecordedLog.Written;

/** Zones beside the volatile chunks: opened, changed, pinned and closed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ZonesTest {
    private static final long SEED = Long.getLong("starling.seed", 13L);
    private static final int NODE = 4;
    private static final long OWN = ChunkId.zoneOf(NODE, 0);
    private static final long FOREIGN = ChunkId.zoneOf(9, 77);
    private static final WriteTag TAG = new WriteTag(21, 5);

    private final long reservedBefore = NativeMemory.reservedBytes();
    private final LocalChunks chunks = new LocalChunks(NODE, 32 << 20);
    private final RecordedLog log = new RecordedLog();

    @AfterEach
    void leavesNoMemoryBehind() {
        chunks.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void keepsVolatileOwnAndForeignChunksApart() {
        chunks.openZone(OWN, log);
        chunks.openZone(FOREIGN, RecordedLog.NOWHERE);
        long volatileId = chunks.create(8);
        long own = chunks.create(OWN, new Sizes.Uniform(1, 8), TAG).first();
        long foreign = chunks.create(FOREIGN, new Sizes.Uniform(1, 8), TAG).first();

        chunks.put(volatileId, bytes(1));
        chunks.put(own, bytes(2));
        chunks.put(foreign, bytes(3));

        assertThat(ChunkId.isReplicated(volatileId)).isFalse();
        assertThat(own).isEqualTo(ChunkId.ofZone(OWN, 0));
        assertThat(foreign).isEqualTo(ChunkId.ofZone(FOREIGN, 0));
        assertThat(chunks.get(volatileId)).isEqualTo(bytes(1));
        assertThat(chunks.get(own)).isEqualTo(bytes(2));
        assertThat(chunks.get(foreign)).isEqualTo(bytes(3));
        assertThat(chunks.zones()).containsExactly(OWN, FOREIGN);
        assertThat(chunks.zoneBytes(OWN)).isEqualTo(9);
        assertThat(log.position()).isEqualTo(2);
    }

    @Test
    void knowsNothingOfZonesThatAreNotOpen() {
        long id = ChunkId.ofZone(OWN, 0);
        chunks.create(8);

        assertThat(chunks.hasZone(OWN)).isFalse();
        assertThat(chunks.zoneBytes(OWN)).isZero();
        assertThat(chunks.getOrNull(id)).isNull();
        assertThat(chunks.sizeOrAbsent(id)).isEqualTo(-1);
        assertThat(chunks.removeRange(id, 10)).isZero();
        assertThatThrownBy(() -> chunks.put(id, bytes(1)))
                .isInstanceOf(ChunkNotFoundException.class);
        assertThatThrownBy(() -> chunks.pin(id, 1)).isInstanceOf(ChunkNotFoundException.class);
        assertThatThrownBy(() -> chunks.logPresent(id, 1))
                .isInstanceOf(ChunkNotFoundException.class);
        assertThatThrownBy(() -> chunks.create(OWN, new Sizes.Uniform(1, 1), TAG))
                .hasMessageContaining("zone " + Long.toHexString(OWN));
        assertThatThrownBy(() -> chunks.restore(id, 0, 1))
                .hasMessageContaining("not being restored");
        assertThatThrownBy(() -> chunks.restore(5, 0, 1)).hasMessageContaining("volatile");
        chunks.closeZone(OWN);
    }

    @Test
    void opensAZoneOnce() {
        chunks.openZone(OWN, log);

        assertThatThrownBy(() -> chunks.openZone(OWN, log)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> chunks.openZone(OWN, null)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> chunks.attachLog(OWN, log)).isInstanceOf(StoreException.class);
    }

    @Test
    void logsEachChangeWithItsTagAndReturnsItsPosition() {
        chunks.openZone(OWN, log);

        Created made = chunks.create(OWN, new Sizes.Uniform(3, 4), TAG);
        long first = made.first();
        long put = chunks.put(first, new byte[] {1, 2, 3, 4}, TAG);
        long longer = chunks.put(first, new byte[] {1, 2, 3, 4, 5}, TAG);
        long cut = chunks.resize(first, 2, TAG);
        long same = chunks.resize(first, 2, WriteTag.NONE);
        Removed removed = chunks.removeRange(first, 2, TAG);
        long last = chunks.remove(first + 2, TAG);

        assertThat(List.of(made.position(), put, longer, cut, same, removed.position(), last))
                .isEqualTo(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L));
        assertThat(removed.count()).isEqualTo(2);
        assertThat(log.changes())
                .containsExactly(
                        new Made(first, List.of(4, 4, 4), TAG),
                        new Written(first, RecordedLog.boxed(new byte[] {1, 2, 3, 4}), TAG),
                        new Written(first, RecordedLog.boxed(new byte[] {1, 2, 3, 4, 5}), TAG),
                        new Written(first, RecordedLog.boxed(new byte[] {1, 2}), TAG),
                        new Written(first, RecordedLog.boxed(new byte[] {1, 2}), WriteTag.NONE),
                        new Gone(first, 2, TAG),
                        new Gone(first + 2, 1, TAG));
    }

    @Test
    void givesVolatileChangesNoPosition() {
        long id = chunks.createRange(new Sizes.Uniform(2, 4));

        assertThat(chunks.put(id, bytes(1), TAG)).isZero();
        assertThat(chunks.resize(id, 3, TAG)).isZero();
        assertThat(chunks.logPresent(id, 2)).isZero();
        assertThat(chunks.removeRange(id, 2, TAG)).isEqualTo(new Removed(2, 0));
    }

    @Test
    void logsRemovedRunsAndTagsTheLastOfThem() {
        chunks.openZone(OWN, log);
        int count = 3 * RangeRemoval.MAX_RUN;
        long first = chunks.create(OWN, new Sizes.Uniform(count, 1), TAG).first();
        chunks.remove(first + 10);
        chunks.remove(first + count - 1);
        int before = log.changes().size();

        Removed removed = chunks.removeRange(first, count + 500, TAG);

        assertThat(removed.count()).isEqualTo(count - 2);
        assertThat(log.changes().subList(before, log.changes().size()))
                .containsExactly(
                        new Gone(first, 10, WriteTag.NONE),
                        new Gone(first + 11, RangeRemoval.MAX_RUN, WriteTag.NONE),
                        new Gone(
                                first + 11 + RangeRemoval.MAX_RUN,
                                RangeRemoval.MAX_RUN,
                                WriteTag.NONE),
                        new Gone(
                                first + 11 + 2 * RangeRemoval.MAX_RUN,
                                RangeRemoval.MAX_RUN - 12,
                                TAG));
        assertThat(chunks.zoneBytes(OWN)).isZero();
        assertThat(chunks.removeRange(first, count, TAG)).isEqualTo(new Removed(0, 0));
    }

    @Test
    void removesAndLogsNothingOfARangeOfWhichOneIsPinned() {
        chunks.openZone(OWN, log);
        long first = chunks.create(OWN, new Sizes.Uniform(10, 1), TAG).first();
        try (PinnedRange pinned = chunks.pin(first + 6, 1)) {
            assertThatThrownBy(() -> chunks.removeRange(first, 10, TAG))
                    .isInstanceOf(ChunkPinnedException.class);
            assertThat(pinned.bytes(0)).isEqualTo(1);
        }

        assertThat(log.changes()).noneMatch(change -> change instanceof Gone);
        assertThat(RecordedLog.contentOf(chunks, OWN)).isEqualTo(log.replayed()).hasSize(10);
    }

    @Test
    void logsWhatWasWrittenInPlace() {
        chunks.openZone(OWN, log);
        long first = chunks.create(OWN, new Sizes.Uniform(500, 8), TAG).first();
        try (PinnedRange range = chunks.pin(first, 500)) {
            for (int i = 0; i < 500; i++) {
                NativeMemory.putLong(range.address(i), i * 3L);
            }

            assertThat(chunks.logPresent(first, 500)).isEqualTo(501);
        }

        assertThat(log.replayed()).isEqualTo(RecordedLog.contentOf(chunks, OWN));
        assertThat(chunks.get(first + 1)).isEqualTo(bytes(3));
    }

    @Test
    void createsInTheLogBeforeAnybodyCanSeeIt() {
        List<Integer> seen = new ArrayList<>();
        RecordedLog looking =
                new RecordedLog() {
                    @Override
                    public long created(long first, Sizes sizes, WriteTag tag) {
                        seen.add(chunks.sizeOrAbsent(first));
                        return super.created(first, sizes, tag);
                    }
                };
        chunks.openZone(OWN, looking);

        long first = chunks.create(OWN, new Sizes.Uniform(2, 6), TAG).first();

        assertThat(seen).containsExactly(-1);
        assertThat(chunks.sizeOrAbsent(first)).isEqualTo(6);
    }

    /** A copy that passed over it would lack it for good: the log has had it before the copy. */
    @Test
    void stopsBeforeAChunkThatIsInTheLogAndThatNobodyCanSeeYet() {
        List<Long> next = new ArrayList<>();
        List<Long> visited = new ArrayList<>();
        RecordedLog looking =
                new RecordedLog() {
                    @Override
                    public long created(long first, Sizes sizes, WriteTag tag) {
                        long position = super.created(first, sizes, tag);
                        next.add(chunks.forEach(OWN, 0, (id, _, _) -> visited.add(id)));
                        return position;
                    }
                };
        chunks.openZone(OWN, looking);

        long one = chunks.create(OWN, new Sizes.Uniform(1, 6), TAG).first();
        long other = chunks.create(OWN, new Sizes.Uniform(2, 6), TAG).first();

        assertThat(next).containsExactly((long) ChunkId.index(one), (long) ChunkId.index(other));
        assertThat(visited).containsExactly(one);
        assertThat(chunks.forEach(OWN, 0, (id, _, _) -> visited.add(id))).isEqualTo(-1);
        assertThat(visited).containsExactly(one, one, other, other + 1);
    }

    @Test
    void changesNothingButAPayloadWhenTheLogRefuses() {
        boolean[] refuse = {false};
        RecordedLog refusing =
                new RecordedLog() {
                    @Override
                    long add(Change change) {
                        if (refuse[0]) {
                            throw new StoreException("given up");
                        }
                        return super.add(change);
                    }
                };
        chunks.openZone(OWN, refusing);
        long id = chunks.create(OWN, new Sizes.Uniform(2, 8), TAG).first();
        chunks.put(id, bytes(1));
        StoreStatistics before = chunks.statistics();
        refuse[0] = true;

        assertThatThrownBy(() -> chunks.create(OWN, new Sizes.Uniform(5, 5), TAG))
                .hasMessage("given up");
        assertThatThrownBy(() -> chunks.put(id, new byte[3])).hasMessage("given up");
        assertThatThrownBy(() -> chunks.resize(id, 20)).hasMessage("given up");
        assertThatThrownBy(() -> chunks.removeRange(id, 2)).hasMessage("given up");
        assertThatThrownBy(() -> chunks.put(id + 1, bytes(2))).hasMessage("given up");
        assertThatThrownBy(() -> chunks.logPresent(id, 2)).hasMessage("given up");

        assertThat(chunks.get(id)).isEqualTo(bytes(1));
        assertThat(chunks.statistics().payloadBytes()).isEqualTo(before.payloadBytes());
        assertThat(chunks.statistics().chunks()).isEqualTo(2);
        refuse[0] = false;
        chunks.put(id + 1, bytes(4));
        assertThat(chunks.create(OWN, new Sizes.Uniform(1, 1), TAG).position()).isEqualTo(4);
        assertThat(refusing.replayed()).isEqualTo(RecordedLog.contentOf(chunks, OWN));
    }

    @Test
    void refusesRangesThatLeaveTheirZone() {
        chunks.openZone(OWN, log);
        long last = ChunkId.ofZone(OWN, ChunkId.ZONE_IDS - 1);

        assertThat(chunks.removeRange(last, 1)).isZero();
        assertThatThrownBy(() -> chunks.removeRange(last, 2)).hasMessageContaining("one zone");
        assertThatThrownBy(() -> chunks.pin(last, 2)).hasMessageContaining("one zone");
        assertThatThrownBy(() -> chunks.removeRange(ChunkId.of(NODE, (1L << 47) - 1), 2))
                .hasMessageContaining("one zone");
    }

    @Test
    void saysWhenTheHeapIsFullAndCreatesNothing() {
        chunks.openZone(OWN, log);

        assertThatThrownBy(() -> chunks.create(OWN, new Sizes.Uniform(40, 1 << 20), TAG))
                .isInstanceOf(OutOfChunkMemoryException.class);

        assertThat(log.position()).isZero();
        assertThat(chunks.create(OWN, new Sizes.Uniform(1, 1), TAG).first())
                .isEqualTo(ChunkId.ofZone(OWN, 0));
    }

    @Test
    void saysWhenAZoneHasNoIdsLeft() {
        IdSpace ids = IdSpace.ofZone(OWN);
        try {
            assertThat(ids.full(7))
                    .isInstanceOf(ZoneFullException.class)
                    .hasMessageContaining("no 7 consecutive ids");
            IdAllocator few = new IdAllocator(ids.table, 100);

            assertThat(few.take(60)).isZero();
            assertThat(few.take(41)).isEqualTo(-1);
            assertThat(few.take(40)).isEqualTo(60);
            assertThat(few.bound()).isEqualTo(100);
        } finally {
            ids.release();
        }
    }

    @Test
    void visitsInOrderAndGoesOnWhereItStopped() {
        chunks.openZone(OWN, log);
        long first = chunks.create(OWN, new Sizes.Uniform(3_000, 1), TAG).first();
        chunks.remove(first + 1);
        List<Long> seen = new ArrayList<>();

        long next = chunks.forEach(OWN, 0, (id, address, bytes) -> seen.add(id) && seen.size() < 5);
        assertThat(next).isEqualTo(6);
        assertThat(seen).containsExactly(first, first + 2, first + 3, first + 4, first + 5);
        long end = chunks.forEach(OWN, (int) next, (id, address, bytes) -> seen.add(id));

        assertThat(end).isEqualTo(-1);
        assertThat(seen).hasSize(2_999).isSorted().doesNotHaveDuplicates();
        assertThatThrownBy(() -> chunks.forEach(FOREIGN, 0, (id, address, bytes) -> true))
                .hasMessageContaining("not held");
    }

    @Test
    void passesOverChunksOfWhichTheLogHasNotHeard() {
        chunks.openZone(OWN, log);
        long logged = chunks.create(OWN, new Sizes.Uniform(1, 8), TAG).first();
        long first = chunks.create(OWN, new Sizes.Uniform(50_000, 100), TAG, false).first();
        chunks.removeRange(first + 4, 40_000);
        chunks.compact(); // moves those that are left
        chunks.compact();
        chunks.get(first);
        assertThat(visited()).containsExactly(logged);

        chunks.put(first, new byte[100]);
        chunks.put(first + 1, new byte[7]);
        chunks.resize(first + 2, 9);
        assertThat(visited()).containsExactly(logged, first, first + 1, first + 2);
        chunks.logPresent(first + 3, 1);
        chunks.compact();

        assertThat(visited()).containsExactly(logged, first, first + 1, first + 2, first + 3);
    }

    private List<Long> visited() {
        List<Long> seen = new ArrayList<>();
        chunks.forEach(OWN, 0, (id, address, bytes) -> seen.add(id));
        return seen;
    }

    @Test
    void freesAllOfAZoneThatIsClosed() {
        chunks.openZone(OWN, log);
        chunks.openZone(FOREIGN, RecordedLog.NOWHERE);
        long kept = chunks.create(FOREIGN, new Sizes.Uniform(100, 50), TAG).first();
        StoreStatistics before = chunks.statistics();
        long range = chunks.create(OWN, new Sizes.Uniform(100_000, 60), TAG).first();
        for (int i = 0; i < 100_000; i += 3) {
            chunks.resize(range + i, i % 700);
        }

        chunks.closeZone(OWN);

        assertThat(chunks.statistics().chunks()).isEqualTo(before.chunks());
        assertThat(chunks.statistics().payloadBytes()).isEqualTo(before.payloadBytes());
        assertThat(chunks.statistics().headerBytes()).isEqualTo(before.headerBytes());
        assertThat(chunks.getOrNull(range)).isNull();
        assertThat(chunks.hasZone(OWN)).isFalse();
        assertThat(chunks.get(kept + 99)).hasSize(50);
        chunks.openZone(OWN, log);
        assertThat(chunks.getOrNull(range)).isNull();
    }

    @Test
    void leavesAloneAZoneThatWasTakenInAgain() {
        chunks.openZone(OWN, log);
        assertThat(chunks.leaveZone(OWN, RecordedLog.NOWHERE)).isFalse();
        chunks.closeZone(OWN);

        chunks.openZone(OWN, null);
        assertThat(chunks.leaveZone(OWN, log)).isFalse();
        chunks.restore(ChunkId.ofZone(OWN, 3), 0, 8);
        chunks.attachLog(OWN, RecordedLog.NOWHERE);
        assertThat(chunks.leaveZone(OWN, null)).isFalse();
        assertThat(chunks.leaveZone(OWN, log)).isFalse();

        assertThat(chunks.get(ChunkId.ofZone(OWN, 3))).hasSize(8);
        assertThat(chunks.leaveZone(OWN, RecordedLog.NOWHERE)).isTrue();
        assertThat(chunks.getOrNull(ChunkId.ofZone(OWN, 3))).isNull();
    }

    @Test
    void freesWhatWasLeftWhenItIsMaintained() {
        chunks.openZone(OWN, log);
        chunks.create(OWN, new Sizes.Uniform(10, 8), TAG);

        assertThat(chunks.leaveZone(OWN, log)).isTrue();
        assertThat(chunks.hasZone(OWN)).isFalse();
        assertThat(chunks.statistics().chunks()).isEqualTo(10);
        chunks.maintain();

        assertThat(chunks.statistics().chunks()).isZero();
    }

    @Test
    void freesNothingOfAStoreThatIsClosed() {
        chunks.openZone(OWN, log);
        chunks.create(OWN, new Sizes.Uniform(10, 8), TAG);
        chunks.leaveZone(OWN, log);

        chunks.close();
        chunks.freeClosedZones();

        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void keepsPinnedMemoryOfAClosedZoneUntilItIsUnpinned() {
        chunks.openZone(OWN, log);
        long first = chunks.create(OWN, new Sizes.Uniform(70_000, 64), TAG).first();
        PinnedRange some = chunks.pin(first + 65_530, 20);
        PinnedRange other = chunks.pin(first + 5, 1);
        long address = some.address(7);
        NativeMemory.putLong(address, 42);

        chunks.closeZone(OWN);
        chunks.openZone(OWN, RecordedLog.NOWHERE);
        fill(OWN, 20 << 20);
        chunks.compact();

        assertThat(chunks.sizeOrAbsent(first)).isNotEqualTo(64);
        assertThat(some.address(7)).isEqualTo(address);
        assertThat(some.bytes(19)).isEqualTo(64);
        assertThat(NativeMemory.getLong(address)).isEqualTo(42);
        chunks.closeZone(OWN);
        other.close();
        assertThat(chunks.statistics().chunks()).isEqualTo(21);
        assertThat(NativeMemory.getLong(some.address(7))).isEqualTo(42);
        some.close();
        assertThat(chunks.statistics().chunks()).isZero();
    }

    @Test
    void keepsPinnedMemoryOfAClosedZoneInAClosedStore() {
        chunks.openZone(OWN, log);
        long first = chunks.create(OWN, new Sizes.Uniform(10, 64), TAG).first();
        PinnedRange pinned = chunks.pin(first, 10);

        chunks.closeZone(OWN);
        chunks.close();

        NativeMemory.putLong(pinned.address(9), 1);
        assertThat(NativeMemory.getLong(pinned.address(9))).isEqualTo(1);
        pinned.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void closesZonesUnderThreadsThatAreAtWork() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (int round = 0; round < 60; round++) {
                chunks.openZone(OWN, RecordedLog.NOWHERE);
                long first = chunks.create(OWN, new Sizes.Uniform(64, 100), TAG).first();
                List<Future<Integer>> workers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    Random random = new Random(SEED + 3L * round + i);
                    workers.add(threads.submit(() -> workUntilClosed(first, random)));
                }
                for (int i = 0; i < 20 * round; i++) {
                    chunks.get(first);
                }

                chunks.closeZone(OWN);

                for (Future<Integer> worker : workers) {
                    assertThat(worker.get()).isNotNegative();
                }
                assertThat(chunks.statistics().chunks()).isZero();
                assertThat(chunks.statistics().payloadBytes()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void compactsAcrossZones() {
        long[] zones = new long[40];
        List<List<Long>> ids = new ArrayList<>();
        for (int i = 0; i < zones.length; i++) {
            zones[i] = ChunkId.zoneOf(NODE, 100 + i);
            chunks.openZone(zones[i], RecordedLog.NOWHERE);
            ids.add(new ArrayList<>());
        }
        List<Long> volatiles = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            int zone = i % zones.length;
            long id = chunks.create(zones[zone], new Sizes.Uniform(1, 200), TAG).first();
            chunks.put(id, bytesOf(200, id));
            ids.get(zone).add(id);
            if (i % 3 == 0) {
                long loose = chunks.create(200);
                chunks.put(loose, bytesOf(200, loose));
                volatiles.add(loose);
            }
        }
        ids.add(volatiles);
        Random random = new Random(SEED);
        for (List<Long> list : ids) {
            list.removeIf(id -> random.nextInt(4) > 0 && chunks.removeRange(id, 1) == 1);
        }
        long live = chunks.statistics().payloadBytes() + chunks.statistics().headerBytes();

        for (int i = 0; i < 3; i++) {
            chunks.compact();
        }

        assertThat(chunks.statistics().heapUsedBytes())
                .isLessThan((long) (live * 1.15) + (1 << 20));
        for (List<Long> list : ids) {
            for (long id : list) {
                assertThat(chunks.get(id)).isEqualTo(bytesOf(200, id));
            }
        }
    }

    private int workUntilClosed(long first, Random random) {
        int done = 0;
        while (true) {
            long id = first + random.nextInt(64);
            try {
                switch (random.nextInt(5)) {
                    case 0 -> chunks.put(id, new byte[random.nextInt(200)]);
                    case 1 -> chunks.resize(id, random.nextInt(200));
                    case 2 -> chunks.create(OWN, new Sizes.Uniform(5, 10), TAG);
                    case 3 -> chunks.pin(id, 1).close();
                    default -> chunks.get(id);
                }
                done++;
            } catch (ChunkPinnedException e) {
                done++;
            } catch (StoreException e) {
                return chunks.hasZone(OWN) ? -1 : done;
            }
        }
    }

    private void fill(long zone, int bytes) {
        for (int done = 0; done < bytes; done += 1000) {
            chunks.create(zone, new Sizes.Uniform(1, 1000), TAG);
        }
    }

    private static byte[] bytes(long value) {
        byte[] bytes = new byte[8];
        bytes[0] = (byte) value;
        return bytes;
    }

    private static byte[] bytesOf(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
