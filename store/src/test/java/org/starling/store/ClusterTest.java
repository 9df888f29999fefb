package org.starling.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.net.NativeMemory;
import org.starling.store.TestCluster.Wire;

/** Three nodes in one process: what one stores, the others find. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ClusterTest {
    private final long reservedBefore = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNoMemoryBehind() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void givesNodeIdsAndTellsEveryoneOfEveryone(Wire wire) {
        try (TestCluster cluster = new TestCluster(wire, 2, TestCluster.config())) {
            assertThat(cluster.superpeer().nodeId()).isZero();
            assertThat(cluster.superpeer().role()).isEqualTo(Role.SUPERPEER);
            assertThat(cluster.node(1).nodeId()).isEqualTo(1);
            assertThat(cluster.node(2).nodeId()).isEqualTo(2);
            for (int i = 0; i <= 2; i++) {
                assertThat(cluster.node(i).membership().nodes())
                        .extracting(NodeInfo::id)
                        .containsExactly(0, 1, 2);
                assertThat(cluster.node(i).promise()).contains("MEMORY");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void readsAndWritesRemoteChunksLikeLocalOnes(Wire wire) {
        try (TestCluster cluster = new TestCluster(wire, 2, TestCluster.config())) {
            ChunkService owner = cluster.node(1).chunks();
            for (ChunkService user :
                    new ChunkService[] {
                        owner, cluster.node(2).chunks(), cluster.superpeer().chunks()
                    }) {
                long id = owner.create(5);
                assertThat(user.isLocal(id)).isEqualTo(user.equals(owner));
                assertThat(user.get(id)).containsExactly(0, 0, 0, 0, 0);

                user.put(id, bytes("hello"));
                assertThat(owner.get(id)).isEqualTo(bytes("hello"));
                user.put(id, bytes("a longer value"));
                assertThat(user.get(id)).isEqualTo(bytes("a longer value"));
                assertThat(user.size(id)).isEqualTo(14);

                user.resize(id, 8);
                assertThat(owner.get(id)).isEqualTo(bytes("a longer"));
                assertThat(user.exists(id)).isTrue();

                user.remove(id);
                assertThat(user.exists(id)).isFalse();
                assertThatThrownBy(() -> user.get(id))
                        .isInstanceOf(ChunkNotFoundException.class)
                        .hasMessageContaining(ChunkId.toString(id));
                assertThatThrownBy(() -> user.put(id, bytes("x")))
                        .isInstanceOf(ChunkNotFoundException.class);
                assertThatThrownBy(() -> user.remove(id))
                        .isInstanceOf(ChunkNotFoundException.class);
                assertThatThrownBy(() -> user.resize(id, 1))
                        .isInstanceOf(ChunkNotFoundException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void reportsWhatTheNetworkOfEachMemberHasDone(Wire wire) {
        try (TestCluster cluster = new TestCluster(wire, 2, TestCluster.config())) {
            long id = cluster.node(1).chunks().create(5);
            for (int i = 0; i < 100; i++) {
                cluster.node(2).chunks().put(id, bytes("hello"));
            }

            List<NetworkReport> reports = cluster.superpeer().networks();

            assertThat(reports).extracting(NetworkReport::node).containsExactly(0, 1, 2);
            assertThat(reports)
                    .allSatisfy(report ->
                            assertThat(report.transport())
                                    .isEqualTo(wire == Wire.LOOPBACK ? "loopback" : "ethernet"));
            assertThat(reports.get(2).statistics().roundTrips().count())
                    .isGreaterThanOrEqualTo(100);
            assertThat(reports.get(2).statistics().roundTrips().p50Micros()).isPositive();
            assertThat(reports.get(1).statistics().connections())
                    .filteredOn(connection -> connection.node() == 2)
                    .singleElement()
                    .satisfies(connection -> {
                        assertThat(connection.receivedMessages()).isGreaterThanOrEqualTo(100);
                        assertThat(connection.sentMessages()).isGreaterThanOrEqualTo(100);
                    });
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void readsAndWritesNativeMemory(Wire wire) {
        long buffer = NativeMemory.reserve(4096);
        try (TestCluster cluster = new TestCluster(wire, 2, TestCluster.config())) {
            long id = cluster.node(1).chunks().create(16);
            for (int i = 1; i <= 2; i++) {
                ChunkService user = cluster.node(i).chunks();
                NativeMemory.putLong(buffer, 42 + i);
                user.put(id, buffer, 8);
                NativeMemory.putLong(buffer, 0);

                assertThat(user.get(id, buffer, 4096)).isEqualTo(8);
                assertThat(NativeMemory.getLong(buffer)).isEqualTo(42 + i);
                assertThatThrownBy(() -> user.get(id, buffer, 7))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("8 bytes");
            }
        } finally {
            NativeMemory.release(buffer, 4096);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void carriesOutBatchesOverAllOwners(Wire wire) {
        try (TestCluster cluster = new TestCluster(wire, 3, TestCluster.config())) {
            Random random = new Random(7);
            long[] ids = new long[900];
            byte[][] values = new byte[ids.length][];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = cluster.node(1 + i % 3).chunks().create(10);
                values[i] = new byte[random.nextInt(6_000)];
                random.nextBytes(values[i]);
            }
            ChunkService user = cluster.node(2).chunks();

            user.put(ids, values);
            user.remove(new long[] {ids[0], ids[1], ids[2]});
            Chunks chunks = user.get(ids);

            assertThat(chunks.count()).isEqualTo(ids.length);
            for (int i = 0; i < ids.length; i++) {
                assertThat(chunks.exists(i)).isEqualTo(i > 2);
                if (i > 2) {
                    assertThat(Arrays.equals(chunks.get(i), values[i])).isTrue();
                }
            }
            assertThatThrownBy(() -> chunks.get(1)).isInstanceOf(ChunkNotFoundException.class);
            BatchException failure =
                    catchThrowableOfType(
                            BatchException.class, () -> user.remove(Arrays.copyOf(ids, 6)));
            assertThat(failure.failures()).containsOnlyKeys(0, 1, 2);
            assertThat(user.exists(ids[3])).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void createsAndReadsRangesElsewhere(Wire wire) {
        try (TestCluster cluster = new TestCluster(wire, 2, TestCluster.config())) {
            Random random = new Random(11);
            int[] sizes = random.ints(20_000, 0, 1_000).toArray();
            ChunkService here = cluster.node(1).chunks();
            ChunkService there = cluster.node(2).chunks();
            long first = here.createOn(2, sizes);
            assertThat(ChunkId.creator(first)).isEqualTo(2);
            byte[] last = new byte[sizes[19_999]];
            random.nextBytes(last);
            here.put(first + 19_999, last);
            there.remove(first + 5);

            for (ChunkService user : new ChunkService[] {here, there}) {
                try (RangeCopy copy = user.readRange(first, sizes.length)) {
                    assertThat(copy.count()).isEqualTo(sizes.length);
                    assertThat(copy.exists(5)).isFalse();
                    assertThat(copy.bytes(6)).isEqualTo(sizes[6]);
                    assertThat(copy.get(19_999)).isEqualTo(last);
                    assertThat(copy.payloadBytes())
                            .isEqualTo(Arrays.stream(sizes).asLongStream().sum() - sizes[5]);
                }
            }
            assertThat(here.removeRange(first, sizes.length)).isEqualTo(sizes.length - 1);
            assertThat(there.statistics().chunks()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void reportsFullAndPinnedOwnersAsSuch(Wire wire) {
        try (TestCluster cluster =
                new TestCluster(wire, 2, TestCluster.config().withHeapBytes(1 << 20))) {
            ChunkService user = cluster.node(1).chunks();
            ChunkService owner = cluster.node(2).chunks();
            long id = owner.create(100);

            assertThatThrownBy(() -> user.createOn(2, new int[] {800_000, 800_000}))
                    .isInstanceOf(OutOfChunkMemoryException.class)
                    .hasMessageContaining("heapBytes");
            assertThatThrownBy(() -> user.createOn(0, new int[] {1}))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("superpeer");
            try (PinnedRange pinned = owner.pin(id, 1)) {
                NativeMemory.putLong(pinned.address(0), 77);
                assertThatThrownBy(() -> user.remove(id)).isInstanceOf(ChunkPinnedException.class);
                assertThatThrownBy(() -> user.resize(id, 1))
                        .isInstanceOf(ChunkPinnedException.class);
                user.put(id, new byte[100]);
                assertThat(NativeMemory.getLong(pinned.address(0))).isZero();
            }
            assertThatThrownBy(() -> user.pin(id, 1))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("readRange");
            user.remove(id);
            assertThat(owner.statistics().chunks()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void neverPromisesMoreThanItCanKeep(Wire wire) {
        try (TestCluster cluster = new TestCluster(wire, 1, TestCluster.config())) {
            ChunkService chunks = cluster.node(1).chunks();
            long id = chunks.create(4);

            for (Durability durability : new Durability[] {Durability.PROCESS, Durability.POWER}) {
                ChunkService safe = chunks.with(durability);
                assertThatThrownBy(() -> safe.put(id, new byte[4]))
                        .isInstanceOf(UnderReplicatedException.class);
                assertThatThrownBy(() -> safe.create(4))
                        .isInstanceOf(UnderReplicatedException.class);
                assertThatThrownBy(
                                () -> cluster.superpeer().chunks().with(durability).resize(id, 9))
                        .isInstanceOf(UnderReplicatedException.class);
            }
            assertThat(chunks.size(id)).isEqualTo(4);
            assertThat(chunks.statistics().chunks()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void findsNamesOnAllNodes(Wire wire) {
        try (TestCluster cluster = new TestCluster(wire, 2, TestCluster.config())) {
            NameService here = cluster.node(1).names();
            NameService there = cluster.node(2).names();

            here.register("graph/größe", 17);
            there.register("a", ChunkId.of(2, 3));

            assertThat(there.lookup("graph/größe")).isEqualTo(17);
            assertThat(cluster.superpeer().names().list())
                    .isEqualTo(Map.of("graph/größe", 17L, "a", ChunkId.of(2, 3)));
            here.register("graph", 1);
            here.register("graph/a", 2);
            here.register("grapi", 3);
            assertThat(there.list("graph/"))
                    .containsExactly(Map.entry("graph/a", 2L), Map.entry("graph/größe", 17L));
            assertThat(there.list("graph")).doesNotContainKeys("graph", "grapi").hasSize(2);
            assertThat(there.list("h")).isEmpty();
            assertThat(there.compareAndSet("graph/größe", 18, 19)).isFalse();
            assertThat(there.compareAndSet("graph/größe", 17, 18)).isTrue();
            assertThat(here.compareAndSet("b", ChunkId.NONE, 1)).isTrue();
            assertThat(there.compareAndSet("b", ChunkId.NONE, 2)).isFalse();
            assertThat(here.lookup("graph/größe")).isEqualTo(18);
            assertThatThrownBy(() -> here.compareAndSet("b", 1, 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(there.remove("graph/größe")).isTrue();
            assertThat(here.remove("graph/größe")).isFalse();
            assertThat(here.lookup("graph/größe")).isEqualTo(ChunkId.NONE);
            assertThatThrownBy(() -> here.register("ö".repeat(128), 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("256");
            assertThatThrownBy(() -> here.register("", 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> here.register("\ud800", 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void tellsAllOfJoinsAndLeaves(Wire wire) {
        try (TestCluster cluster = new TestCluster(wire, 2, TestCluster.config())) {
            ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();
            for (int i = 0; i <= 2; i++) {
                int observer = i;
                cluster.node(i)
                        .membership()
                        .onJoin(node -> events.add(observer + " joined " + node.id()));
                cluster.node(i)
                        .membership()
                        .onLoss(node -> events.add(observer + " lost " + node.id()));
            }

            StoreNode late = cluster.addPeer();
            cluster.awaitMembers(4);
            long id = late.chunks().create(1);
            cluster.close(late);
            cluster.awaitMembers(3);
            TestCluster.await(() -> events.size() >= 6, "all listeners are called");

            assertThat(events)
                    .containsExactlyInAnyOrder(
                            "0 joined 3",
                            "1 joined 3",
                            "2 joined 3",
                            "0 lost 3",
                            "1 lost 3",
                            "2 lost 3");
            assertThatThrownBy(() -> cluster.node(1).chunks().get(id))
                    .isInstanceOf(OwnerLostException.class)
                    .hasMessageContaining("node 3");
            assertThatThrownBy(() -> cluster.node(1).chunks().put(id, new byte[1]))
                    .isInstanceOf(OwnerLostException.class);
            assertThat(cluster.addPeer().nodeId())
                    .as("ids of lost nodes are not used again")
                    .isEqualTo(4);
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void refusesForgedIds(Wire wire) throws Exception {
        try (TestCluster cluster = new TestCluster(wire, 2, TestCluster.config());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            cluster.node(2).chunks().create(8);
            long[] forged = {
                ChunkId.of(2, 1),
                ChunkId.of(2, 1 << 16),
                ChunkId.of(2, ChunkId.MAX_LOCAL),
                ChunkId.of(9, 0),
                ChunkId.NONE
            };
            // side by side: each asks for a while whether there is a node 9 after all
            List<Future<?>> refused = new ArrayList<>();
            for (int i = 0; i <= 2; i++) {
                ChunkService user = cluster.node(i).chunks();
                for (long id : forged) {
                    refused.add(threads.submit(() -> assertRefused(user, id)));
                }
            }
            for (Future<?> one : refused) {
                one.get();
            }
        }
    }

    private static void assertRefused(ChunkService user, long id) {
        assertThatThrownBy(() -> user.get(id)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> user.put(id, new byte[8])).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> user.remove(id)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> user.pin(id, 1)).isInstanceOf(StoreException.class);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
