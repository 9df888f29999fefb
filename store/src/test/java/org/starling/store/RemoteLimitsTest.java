package org.starling.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.TestCluster.Wire;

/** Remote operations that are long, many, at once, or go to several owners of whom one is gone. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RemoteLimitsTest {
    private final long reservedBefore = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNoMemoryBehind() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void carriesChunksThatAreLongerThanABatch() {
        try (TestCluster cluster =
                new TestCluster(Wire.ETHERNET, 2, TestCluster.config().withHeapBytes(128 << 20))) {
            ChunkService user = cluster.node(1).chunks();
            long first = user.createOn(2, new int[] {20 << 20, 5, 6 << 20, 0, 6 << 20});
            long[] ids = {first, first + 1, first + 2, first + 3, first + 4};
            byte[][] values = new byte[5][];
            for (int i = 0; i < 5; i++) {
                values[i] = new byte[user.size(ids[i])];
                Arrays.fill(values[i], (byte) (i + 1));
            }

            user.put(ids, values);

            Chunks chunks = user.get(ids);
            try (RangeCopy copy = user.readRange(first, 5)) {
                for (int i = 0; i < 5; i++) {
                    assertThat(Arrays.equals(chunks.get(i), values[i])).isTrue();
                    assertThat(Arrays.equals(copy.get(i), values[i])).isTrue();
                }
            }
            assertThat(Arrays.equals(user.get(first), values[0])).isTrue();
        }
    }

    @Test
    void refusesChunksThatCannotCrossTheNetwork() {
        StoreConfig config = TestCluster.config().withHeapBytes(400 << 20);
        try (TestCluster cluster = new TestCluster(Wire.LOOPBACK, 2, config)) {
            ChunkService owner = cluster.node(2).chunks();
            ChunkService user = cluster.node(1).chunks();
            long id = owner.create(ChunkService.MAX_REMOTE_BYTES + 1);

            assertThatThrownBy(() -> user.get(id))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(Integer.toString(ChunkService.MAX_REMOTE_BYTES));
            assertThatThrownBy(() -> user.readRange(id, 1)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> user.get(new long[] {id})).isInstanceOf(BatchException.class);
            assertThatThrownBy(() -> user.put(id, 0, ChunkService.MAX_REMOTE_BYTES + 1))
                    .isInstanceOf(StoreException.class);
            assertThat(user.size(id)).isEqualTo(ChunkService.MAX_REMOTE_BYTES + 1);
            user.remove(id);
            assertThat(owner.statistics().chunks()).isZero();
        }
    }

    @Test
    void answersManyAsynchronousRequestsAtOnce() {
        try (TestCluster cluster = new TestCluster(Wire.ETHERNET, 2, TestCluster.config())) {
            ChunkService user = cluster.node(1).chunks();
            long first = user.createOn(2, new int[2_000]);
            List<CompletableFuture<Void>> puts = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                puts.add(user.putAsync(first + i, new byte[] {(byte) i, (byte) (i >> 8)}));
            }
            puts.forEach(CompletableFuture::join);

            List<CompletableFuture<byte[]>> gets = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                gets.add(user.getAsync(first + i));
            }

            for (int i = 0; i < 2_000; i++) {
                assertThat(gets.get(i).join()).containsExactly((byte) i, (byte) (i >> 8));
            }
            user.removeAsync(new long[] {first}).join();
            assertThatThrownBy(() -> user.getAsync(first).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ChunkNotFoundException.class);
            assertThat(user.getAsync(new long[0]).join().count()).isZero();
        }
    }

    @Test
    void readsOfAllNodesNeverGoBack() throws InterruptedException {
        readBeside(400);
    }

    @Tag("slow")
    @Test
    void readsOfAllNodesNeverGoBackBesideManyWrites() throws InterruptedException {
        readBeside(20_000);
    }

    private static void readBeside(int writes) throws InterruptedException {
        try (TestCluster cluster = new TestCluster(Wire.ETHERNET, 3, TestCluster.config())) {
            long id = cluster.node(1).chunks().create(8);
            AtomicBoolean done = new AtomicBoolean();
            AtomicLong acknowledged = new AtomicLong();
            List<String> faults = Collections.synchronizedList(new ArrayList<>());
            List<Thread> readers = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                ChunkService user = cluster.node(i).chunks();
                readers.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    long last = 0;
                                    while (!done.get()) {
                                        long atLeast = Math.max(last, acknowledged.get());
                                        last = number(user.get(id));
                                        if (last < atLeast) {
                                            faults.add("read " + last + " after " + atLeast);
                                        }
                                    }
                                }));
            }

            ChunkService writer = cluster.node(2).chunks();
            for (long number = 1; number <= writes; number++) {
                byte[] value = new byte[8 + (int) (number % 5)];
                value[0] = (byte) number;
                value[1] = (byte) (number >> 8);
                writer.put(id, value);
                acknowledged.set(number);
            }
            done.set(true);
            for (Thread reader : readers) {
                reader.join();
            }

            assertThat(faults).isEmpty();
        }
    }

    @Test
    void carriesOutABatchForTheLivingWhenOneOwnerIsGone() {
        try (TestCluster cluster = new TestCluster(Wire.LOOPBACK, 3, TestCluster.config())) {
            ChunkService user = cluster.node(1).chunks();
            long here = user.create(1);
            long there = cluster.node(2).chunks().create(1);
            long gone = cluster.node(3).chunks().create(1);
            cluster.close(cluster.node(3));
            cluster.awaitMembers(3);

            BatchException failure =
                    catchThrowableOfType(
                            BatchException.class,
                            () ->
                                    user.put(
                                            new long[] {gone, here, there},
                                            new byte[][] {{1}, {2}, {3}}));

            assertThat(failure.failures()).containsOnlyKeys(0);
            assertThat(failure.failures().get(0)).isInstanceOf(OwnerLostException.class);
            assertThat(failure).hasMessageContaining("1 of 3");
            assertThat(user.get(here)).containsExactly(2);
            assertThat(user.get(there)).containsExactly(3);
        }
    }

    @Test
    void listsMoreNamesThanFitInOneMessage() {
        try (TestCluster cluster = new TestCluster(Wire.LOOPBACK, 1, TestCluster.config())) {
            NameService names = cluster.node(1).names();
            for (int i = 0; i < 4_200; i++) {
                names.register("name " + i, i);
            }

            assertThat(names.list()).hasSize(4_200).containsEntry("name 4199", 4199L);
        }
    }

    @Test
    void runsManyNodesInOneProcessAndJoinsThemAtOnce() throws InterruptedException {
        try (TestCluster cluster = new TestCluster(Wire.LOOPBACK, 0, TestCluster.config())) {
            List<StoreNode> late = Collections.synchronizedList(new ArrayList<>());
            List<Thread> starters = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                starters.add(
                        Thread.ofPlatform()
                                .start(() -> late.add(StoreNode.startPeer(cluster.peerOptions()))));
            }
            for (Thread starter : starters) {
                starter.join();
            }

            try {
                cluster.awaitMembers(7);
                assertThat(late)
                        .extracting(StoreNode::nodeId)
                        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
            } finally {
                late.forEach(StoreNode::close);
            }
        }
    }

    @Test
    void refusesConfigurationsThatCannotWork() {
        StoreConfig config = StoreConfig.defaults();

        assertThatThrownBy(() -> config.withHeapBytes(1))
                .hasMessageContaining("heapBytes 1 is not in 65536");
        assertThatThrownBy(() -> config.withRequestTimeout(Duration.ZERO))
                .hasMessageContaining("requestTimeout");
        assertThatThrownBy(
                        () -> config.withHeartbeats(Duration.ofSeconds(1), Duration.ofSeconds(1)))
                .hasMessageContaining("lossTimeout");
        assertThatThrownBy(() -> new NodeOptions(null, null, null, 1, 0, config))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NodeInfo(70_000, Role.PEER, "", 0, 1, 0))
                .hasMessageContaining("70000");
    }

    @Test
    void leavesNothingBehindWhenItsPortIsTaken() {
        try (TestCluster cluster = new TestCluster(Wire.ETHERNET, 0, TestCluster.config())) {
            NodeOptions options =
                    NodeOptions.ethernetSuperpeer(
                            cluster.superpeer().address().orElseThrow(), TestCluster.config());
            // The superpeer that runs may take memory meanwhile, for one connection; a start that
            // left something behind would do so each time.
            List<Long> reserved = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                assertThatThrownBy(() -> StoreNode.startSuperpeer(options))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("could not open its network");
                reserved.add(NativeMemory.reservedBytes());
            }

            assertThat(reserved.stream().distinct().count()).isLessThanOrEqualTo(2);
        }
    }

    private static long number(byte[] value) {
        return (value[0] & 0xFF) | (value[1] & 0xFF) << 8;
    }
}
