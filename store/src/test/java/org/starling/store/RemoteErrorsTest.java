package org.starling.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.TestCluster.Wire;

/**
 * Every operation that is refused, once on the owner itself and once from another node: the same
 * exception both times. One cluster for all tests; node 2 owns, node 1 is another.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init") // set before all tests
final class RemoteErrorsTest {
    private static TestCluster cluster;
    private static ChunkService owner;
    private static List<ChunkService> both;
    private static long memory;
    private long id;

    @BeforeAll
    static void start() {
        cluster = new TestCluster(Wire.LOOPBACK, 2, TestCluster.config().withHeapBytes(1 << 20));
        owner = cluster.node(2).chunks();
        both = List.of(owner, cluster.node(1).chunks());
        memory = NativeMemory.reserve(4096);
    }

    @AfterAll
    static void stop() {
        NativeMemory.release(memory, 4096);
        cluster.close();
    }

    @BeforeEach
    void create() {
        id = owner.create(8);
    }

    @AfterEach
    void changedNothingElse() {
        assertThat(owner.get(id)).hasSize(8);
        owner.remove(id);
        assertThat(owner.statistics().chunks()).isZero();
        assertThat(cluster.node(1).chunks().statistics().chunks()).isZero();
    }

    @Test
    void saysThatAChunkDoesNotExistWhateverTheOperation() {
        long absent = id + 1000;
        for (ChunkService user : both) {
            assertAbsent(absent, () -> user.get(absent));
            assertAbsent(absent, () -> user.get(absent, memory, 4096));
            assertAbsent(absent, () -> user.size(absent));
            assertAbsent(absent, () -> user.put(absent, new byte[1]));
            assertAbsent(absent, () -> user.put(absent, memory, 1));
            assertAbsent(absent, () -> user.resize(absent, 5));
            assertAbsent(absent, () -> user.remove(absent));
            assertThat(user.exists(absent)).isFalse();
            assertThat(user.removeRange(absent, 10)).isZero();
            assertThat(user.get(new long[] {absent}).exists(0)).isFalse();
            try (RangeCopy copy = user.readRange(absent, 3)) {
                assertThat(copy.count()).isEqualTo(3);
                assertThat(copy.payloadBytes()).isZero();
                assertThat(copy.exists(2)).isFalse();
            }
        }
        assertThatThrownBy(() -> owner.pin(absent, 1)).isInstanceOf(ChunkNotFoundException.class);
    }

    /** Whoever asks again in a moment may get it. */
    @Test
    void saysThatNobodyServesAChunkForNowWhoseOwnerCannotBeReached() {
        ChunkService user = both.get(1);
        cluster.part(
                1,
                2,
                () -> {
                    assertThatThrownBy(() -> user.get(id)).isInstanceOf(UnservedException.class);
                    assertThatThrownBy(() -> user.readRange(id, 1))
                            .isInstanceOf(UnservedException.class);
                    assertThat(user.getAsync(id))
                            .failsWithin(Duration.ofSeconds(30))
                            .withThrowableThat()
                            .withCauseInstanceOf(UnservedException.class);
                });

        assertThat(user.get(id)).hasSize(8);
    }

    @Test
    void writesNothingWhenTheCapacityIsTooSmall() {
        for (ChunkService user : both) {
            NativeMemory.putLong(memory, 77);
            for (int capacity : new int[] {7, 0, -1}) {
                assertThatThrownBy(() -> user.get(id, memory, capacity))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("8 bytes");
            }
            assertThat(NativeMemory.getLong(memory)).isEqualTo(77);
            assertThat(user.get(id, memory, 8)).isEqualTo(8);
            assertThat(NativeMemory.getLong(memory)).isZero();
        }
    }

    @Test
    void takesNativeSegmentsOnly() {
        for (ChunkService user : both) {
            assertThatThrownBy(() -> user.get(id, MemorySegment.ofArray(new byte[8])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("native");
            MemorySegment segment = NativeMemory.segment(memory, 7);
            assertThatThrownBy(() -> user.get(id, segment))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(user.get(id, NativeMemory.segment(memory, 8))).isEqualTo(8);
        }
    }

    @Test
    void refusesNegativeLengths() {
        for (ChunkService user : both) {
            assertThatThrownBy(() -> user.put(id, memory, -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> user.resize(id, -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
        }
        assertThatThrownBy(() -> both.get(1).createOn(2, new int[] {1, -1}))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> owner.createRange(new int[] {1, -1}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> owner.create(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesRangesThatAreNone() {
        long last = ChunkId.of(2, ChunkId.MAX_LOCAL >> 1);
        for (ChunkService user : both) {
            for (int count : new int[] {0, -1, Integer.MIN_VALUE}) {
                assertThatThrownBy(() -> user.readRange(id, count))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("no range");
                assertThatThrownBy(() -> user.removeRange(id, count))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> user.readRange(last, 2))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> user.removeRange(last, 2))
                    .isInstanceOf(IllegalArgumentException.class);
            try (RangeCopy copy = user.readRange(last, 1)) {
                assertThat(copy.exists(0)).isFalse();
            }
        }
    }

    @Test
    void refusesToCreateNoneOrTooManyElsewhere() {
        ChunkService user = both.get(1);

        assertThatThrownBy(() -> user.createOn(2, new int[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 0");
        int[] tooMany = new int[ChunkService.MAX_REMOTE_COUNT + 1];
        assertThatThrownBy(() -> user.createOn(2, tooMany))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(tooMany.length));
        assertThatThrownBy(() -> owner.createOn(2, new int[0]))
                .as("on itself")
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> owner.createRange(0, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> owner.createRange(new int[3], 2, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesToCreateWhereNoChunksAre() {
        for (ChunkService user : both) {
            assertThatThrownBy(() -> user.createOn(0, new int[] {1}))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("superpeer");
            assertThatThrownBy(() -> user.createOn(9, new int[] {1}))
                    .isInstanceOf(OwnerLostException.class)
                    .hasMessageContaining("node 9");
            for (int forged : new int[] {-1, 65_535, Integer.MAX_VALUE}) {
                assertThatThrownBy(() -> user.createOn(forged, new int[] {1}))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
        assertThatThrownBy(() -> cluster.superpeer().chunks().create(1))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("superpeer");
        assertThatThrownBy(() -> cluster.superpeer().chunks().createRange(memory, 1))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void createsAllOrNothingElsewhereWhenTheOwnerIsFull() {
        for (ChunkService user : both) {
            assertThatThrownBy(() -> user.createOn(2, new int[] {1, 1 << 20}))
                    .isInstanceOf(OutOfChunkMemoryException.class);
            assertThatThrownBy(() -> user.resize(id, 1 << 20))
                    .isInstanceOf(OutOfChunkMemoryException.class);
            assertThatThrownBy(() -> user.put(id, new byte[1 << 20]))
                    .isInstanceOf(OutOfChunkMemoryException.class);
        }
    }

    @Test
    void saysThatTheOwnerIsNoMemberWhateverTheOperation() {
        long gone = ChunkId.of(77, 3);
        for (ChunkService user : both) {
            assertLost(
                    () -> user.get(gone),
                    () -> user.get(gone, memory, 8),
                    () -> user.size(gone),
                    () -> user.exists(gone),
                    () -> user.put(gone, new byte[1]),
                    () -> user.put(gone, memory, 1),
                    () -> user.resize(gone, 1),
                    () -> user.remove(gone),
                    () -> user.removeRange(gone, 2),
                    () -> user.readRange(gone, 2));
            assertThatThrownBy(() -> user.getAsync(gone).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(OwnerLostException.class);
            assertThatThrownBy(() -> user.pin(gone, 1))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("not on this node");
        }
    }

    @Test
    void failsOnlyTheBadOnesOfABatch() {
        long absent = id + 500;
        long gone = ChunkId.of(77, 0);
        for (ChunkService user : both) {
            BatchException put =
                    catchThrowableOfType(
                            BatchException.class,
                            () ->
                                    user.put(
                                            new long[] {absent, id, gone, ChunkId.NONE},
                                            new byte[][] {
                                                {1}, {5, 0, 0, 0, 0, 0, 0, 0}, {3}, {4}
                                            }));
            assertThat(put.failures()).containsOnlyKeys(0, 2, 3);
            assertThat(put.failures().get(0)).isInstanceOf(ChunkNotFoundException.class);
            assertThat(put.failures().get(2)).isInstanceOf(OwnerLostException.class);
            assertThat(put).hasMessageContaining("3 of 4");
            assertThat(owner.get(id)[0]).isEqualTo((byte) 5);

            long extra = owner.create(1);
            BatchException remove =
                    catchThrowableOfType(
                            BatchException.class,
                            () -> user.remove(new long[] {extra, extra, absent}));
            assertThat(remove.failures()).as("the second time it is gone").containsOnlyKeys(1, 2);
            assertThat(owner.exists(extra)).isFalse();

            BatchException get =
                    catchThrowableOfType(
                            BatchException.class, () -> user.get(new long[] {id, gone, absent}));
            assertThat(get.failures()).containsOnlyKeys(1);
        }
    }

    @Test
    void carriesOutEmptyBatchesAndRefusesUnevenOnes() {
        for (ChunkService user : both) {
            user.put(new long[0], new byte[0][]);
            user.remove(new long[0]);
            assertThat(user.get(new long[0]).count()).isZero();
            assertThatThrownBy(() -> user.put(new long[] {id}, new byte[0][]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 ids, but 0 values");
        }
    }

    @Test
    void takesTheLastOfTwoValuesForTheSameIdInABatch() {
        for (ChunkService user : both) {
            user.put(new long[] {id, id}, new byte[][] {{1}, {2, 0, 0, 0, 0, 0, 0, 0}});

            assertThat(owner.get(id)[0]).isEqualTo((byte) 2);
            Chunks twice = user.get(new long[] {id, id});
            assertThat(twice.get(0)).isEqualTo(twice.get(1));
        }
    }

    @Test
    void removesVolatileChunksWithAnyDurabilityBecauseNothingBringsThemBack() {
        for (ChunkService every : both) {
            for (Durability more : new Durability[] {Durability.PROCESS, Durability.POWER}) {
                ChunkService user = every.with(more);
                long[] ids = {owner.create(1), owner.create(1)};
                long first = owner.createRange(2, 1);

                user.remove(ids[0]);
                user.remove(new long[] {ids[1]});

                assertThat(user.removeRange(first, 2)).isEqualTo(2);
                assertThat(user.exists(ids[0])).isFalse();
                assertThat(user.exists(ids[1])).isFalse();
            }
        }
    }

    @Test
    void doesNothingWhenTheDurabilityCannotBeHad() {
        for (ChunkService every : both) {
            for (Durability more : new Durability[] {Durability.PROCESS, Durability.POWER}) {
                ChunkService user = every.with(more);
                assertThat(user.durability()).isEqualTo(more);
                assertUnder(() -> user.create(1));
                assertUnder(() -> user.createRange(2, 1));
                assertUnder(() -> user.createOn(2, new int[] {1}));
                assertUnder(() -> user.createOn(1, new int[] {1}));
                assertUnder(() -> user.put(id, new byte[1]));
                assertUnder(() -> user.put(id, memory, 1));
                assertUnder(() -> user.put(new long[] {id}, new byte[][] {{1}}));
                assertUnder(() -> user.resize(id, 1));
                assertThat(user.get(id)).as("reads need none").hasSize(8);
            }
        }
    }

    @Test
    void reportsAPinnedChunkToOthersToo() {
        try (PinnedRange pinned = owner.pin(id, 1)) {
            for (ChunkService user : both) {
                assertPinned(() -> user.remove(id));
                assertPinned(() -> user.resize(id, 9));
                assertPinned(() -> user.put(id, new byte[9]));
                assertPinned(() -> user.removeRange(id, 1));
                user.put(id, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
                assertThat(NativeMemory.getByte(pinned.address(0) + 7)).isEqualTo((byte) 8);
            }
        }
    }

    @Test
    void namesChunksWithUpTo255BytesOfAnyText() {
        NameService here = cluster.node(1).names();
        NameService there = cluster.node(2).names();
        String[] names = {
            "a".repeat(255), "語".repeat(85), "𝄞".repeat(63), " ", "\u0000", "é", "e\u0301"
        };
        for (int i = 0; i < names.length; i++) {
            here.register(names[i], i);
        }

        assertThat(there.list()).hasSize(names.length);
        for (int i = 0; i < names.length; i++) {
            assertThat(there.lookup(names[i])).as("name %d", i).isEqualTo(i);
            assertThat(there.list()).containsEntry(names[i], (long) i);
            assertThat(there.remove(names[i])).isTrue();
        }
        assertThat(here.list()).isEqualTo(Map.of());
    }

    @Test
    void refusesNamesThatAreNone() {
        NameService names = cluster.node(1).names();
        for (String wrong :
                new String[] {"", "a".repeat(256), "語".repeat(86), "\udc00", "x\ud834"}) {
            assertThatThrownBy(() -> names.register(wrong, 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> names.lookup(wrong))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> names.remove(wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> names.register("n", ChunkId.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none");
        assertThat(names.list()).isEmpty();
    }

    @Test
    void movesANameAndTellsWhetherThereWasOne() {
        NameService names = cluster.node(2).names();
        names.register("n", 1);
        cluster.node(1).names().register("n", 2);

        assertThat(names.lookup("n")).isEqualTo(2);
        assertThat(names.remove("n")).isTrue();
        assertThat(names.remove("n")).isFalse();
        assertThat(names.lookup("n")).isEqualTo(ChunkId.NONE);
    }

    // what the tests share

    private static void assertAbsent(long absent, Runnable operation) {
        assertThatThrownBy(operation::run)
                .isInstanceOf(ChunkNotFoundException.class)
                .hasMessageContaining(ChunkId.toString(absent));
    }

    /** Side by side, as each asks for a while whether the owner is a member after all. */
    private static void assertLost(Runnable... operations) {
        List<Future<?>> ended = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Runnable operation : operations) {
                ended.add(threads.submit(operation));
            }
        }
        for (Future<?> one : ended) {
            assertThat(one.exceptionNow())
                    .isInstanceOf(OwnerLostException.class)
                    .hasMessageContaining("node 77");
        }
    }

    private static void assertUnder(Runnable operation) {
        assertThatThrownBy(operation::run).isInstanceOf(UnderReplicatedException.class);
    }

    private static void assertPinned(Runnable operation) {
        assertThatThrownBy(operation::run).isInstanceOf(ChunkPinnedException.class);
    }
}
