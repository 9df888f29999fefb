package org.starling.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;

/** Ids, configurations and answers by themselves: what they take, refuse and tell. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ValuesTest {
    private static final StoreConfig CONFIG = StoreConfig.defaults();

    private final long reservedBefore = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNoMemoryBehind() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    // ids

    @Test
    void takesIdsApartAgainAtAllBorders() {
        for (int creator : new int[] {0, 1, 0x7FFF, 0x8000, ChunkId.MAX_CREATOR}) {
            for (long local : new long[] {0, 1, 1L << 47, ChunkId.MAX_LOCAL}) {
                long id = ChunkId.of(creator, local);

                assertThat(ChunkId.creator(id)).isEqualTo(creator);
                assertThat(ChunkId.local(id)).isEqualTo(local);
                assertThat(id).isNotEqualTo(ChunkId.NONE);
            }
        }
    }

    @Test
    void refusesIdsThatDoNotFit() {
        assertThatThrownBy(() -> ChunkId.of(-1, 0)).hasMessageContaining("creator -1");
        assertThatThrownBy(() -> ChunkId.of(65_535, 0)).hasMessageContaining("creator 65535");
        assertThatThrownBy(() -> ChunkId.of(0, -1)).hasMessageContaining("48 bits");
        assertThatThrownBy(() -> ChunkId.of(0, ChunkId.MAX_LOCAL + 1))
                .hasMessageContaining("48 bits");
    }

    @Test
    void writesIdsForPeople() {
        assertThat(ChunkId.toString(ChunkId.of(2, 31))).isEqualTo("0x0002:1f");
        assertThat(ChunkId.toString(ChunkId.of(ChunkId.MAX_CREATOR, ChunkId.MAX_LOCAL)))
                .isEqualTo("0xfffe:ffffffffffff");
        assertThat(ChunkId.toString(ChunkId.NONE)).isEqualTo("none");
    }

    // configurations

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, (64 << 10) - 1, (1L << 44) + 1, Long.MAX_VALUE})
    void refusesHeapsOutOfTheirBounds(long bytes) {
        assertThatThrownBy(() -> CONFIG.withHeapBytes(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("heapBytes " + bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {64 << 10, 1L << 44})
    void takesTheSmallestAndTheGreatestHeap(long bytes) {
        assertThat(CONFIG.withHeapBytes(bytes).heapBytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void refusesTimesThatAreNotPositive(long nanos) {
        Duration time = Duration.ofNanos(nanos);

        assertThatThrownBy(() -> CONFIG.withRequestTimeout(time))
                .hasMessageContaining("requestTimeout");
        assertThatThrownBy(() -> CONFIG.withJoinTimeout(time)).hasMessageContaining("joinTimeout");
        assertThatThrownBy(() -> CONFIG.withHeartbeats(time, Duration.ofSeconds(1)))
                .hasMessageContaining("heartbeatInterval");
    }

    @Test
    void wantsTwoHeartbeatsWithinTheLossTimeout() {
        Duration interval = Duration.ofMillis(100);

        assertThat(CONFIG.withHeartbeats(interval, Duration.ofMillis(200)).lossTimeout())
                .isEqualTo(Duration.ofMillis(200));
        assertThatThrownBy(() -> CONFIG.withHeartbeats(interval, Duration.ofNanos(199_999_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two heartbeatIntervals");
    }

    @Test
    void changesOneFieldAndKeepsTheOthers() {
        StoreConfig changed =
                CONFIG.withHeapBytes(1 << 20)
                        .withDefaultDurability(Durability.POWER)
                        .withRequestTimeout(Duration.ofSeconds(3))
                        .withHeartbeats(Duration.ofMillis(5), Duration.ofMillis(11))
                        .withJoinTimeout(Duration.ofSeconds(4))
                        .withNet(CONFIG.net());

        assertThat(changed)
                .isEqualTo(
                        new StoreConfig(
                                1 << 20,
                                Durability.POWER,
                                Duration.ofSeconds(3),
                                Duration.ofMillis(5),
                                Duration.ofMillis(11),
                                Duration.ofSeconds(4),
                                CONFIG.net()));
    }

    @Test
    void refusesOptionsThatContradictThemselves() {
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        LoopbackHub hub = new LoopbackHub();

        assertThatThrownBy(() -> new NodeOptions(hub, bind, null, 1, 0, CONFIG))
                .hasMessageContaining("either");
        assertThatThrownBy(() -> NodeOptions.loopback(hub, CONFIG).withCores(0))
                .hasMessageContaining("core");
        assertThatThrownBy(() -> NodeOptions.loopback(hub, CONFIG).withCores(-1))
                .hasMessageContaining("-1");
        assertThat(NodeOptions.loopback(hub, CONFIG).withCores(3).withCapabilities(-1))
                .isEqualTo(new NodeOptions(hub, null, null, 3, -1, CONFIG));
        assertThat(NodeOptions.ethernetSuperpeer(bind, CONFIG).superpeers()).isEmpty();
        assertThat(NodeOptions.ethernetPeer(bind, bind, CONFIG).superpeers()).containsExactly(bind);
    }

    @Test
    void refusesNodesThatCannotBe() {
        assertThatThrownBy(() -> new NodeInfo(-1, Role.PEER, "", 0, 1, 0))
                .hasMessageContaining("node id -1");
        assertThatThrownBy(() -> new NodeInfo(65_535, Role.PEER, "", 0, 1, 0))
                .hasMessageContaining("node id 65535");
        assertThatThrownBy(() -> new NodeInfo(1, Role.PEER, "x".repeat(256), 0, 1, 0))
                .hasMessageContaining("255");
        assertThatThrownBy(() -> new NodeInfo(1, Role.PEER, "", -1, 1, 0))
                .hasMessageContaining("port -1");
        assertThatThrownBy(() -> new NodeInfo(1, Role.PEER, "", 65_536, 1, 0))
                .hasMessageContaining("port 65536");
        assertThatThrownBy(() -> new NodeInfo(1, Role.PEER, "", 0, 0, 0))
                .hasMessageContaining("core");
        assertThat(new NodeInfo(65_534, Role.PEER, "x".repeat(255), 65_535, 1, 0).address())
                .endsWith("x:65535");
        assertThat(new NodeInfo(1, Role.PEER, "", 0, 1, 0).address()).isEqualTo("in-process");
    }

    // answers

    @Test
    void copiesARangeWithHolesAndReleasesItOnce() {
        int[] sizes = {2, RangeCopy.ABSENT, 0, 3};
        long memory = NativeMemory.reserve(4096);
        NativeMemory.copyFromArray(new byte[] {1, 2, 3, 4, 5}, 0, memory, 5);
        RangeCopy copy = new RangeCopy(ChunkId.of(1, 10), sizes, memory, 4096);
        sizes[0] = 99;

        assertThat(copy.count()).isEqualTo(4);
        assertThat(copy.first()).isEqualTo(ChunkId.of(1, 10));
        assertThat(copy.payloadBytes()).isEqualTo(5);
        assertThat(copy.get(0)).containsExactly(1, 2);
        assertThat(copy.exists(1)).isFalse();
        assertThat(copy.bytes(1)).isEqualTo(RangeCopy.ABSENT);
        assertThatThrownBy(() -> copy.get(1))
                .isInstanceOf(ChunkNotFoundException.class)
                .hasMessageContaining("0x0001:b");
        assertThat(copy.exists(2)).isTrue();
        assertThat(copy.get(2)).isEmpty();
        assertThat(copy.get(3)).containsExactly(3, 4, 5);
        assertThat(copy.address(3) - copy.address(0)).isEqualTo(2);
        assertThatThrownBy(() -> copy.address(4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> copy.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        copy.close();
        copy.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void refusesACopyWhoseSizesPassItsMemory() {
        assertThatThrownBy(() -> new RangeCopy(0, new int[] {4096, 1}, 8192, 4096))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        new RangeCopy(
                                0, new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE, 2}, 8192, 4096))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void marksChunksThatDoNotExistInABatch() {
        Chunks chunks = new Chunks(new long[] {7, 8}, new byte[][] {null, {}});

        assertThat(chunks.count()).isEqualTo(2);
        assertThat(chunks.id(1)).isEqualTo(8);
        assertThat(chunks.exists(0)).isFalse();
        assertThat(chunks.get(1)).isEmpty();
        assertThatThrownBy(() -> chunks.get(0)).isInstanceOf(ChunkNotFoundException.class);
        assertThatThrownBy(() -> chunks.get(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new Chunks(new long[1], new byte[2][]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 ids, but 2 values");
    }

    @Test
    void namesTheFirstOfSeveralFailuresAndKeepsThemToItself() {
        BatchException failure =
                new BatchException(
                        9,
                        Map.of(
                                7, new StoreException("late"),
                                2, new ChunkNotFoundException(ChunkId.of(1, 5))));

        assertThat(failure)
                .hasMessageContaining("2 of 9")
                .hasMessageContaining("index 2")
                .hasMessageContaining("0x0001:5")
                .hasCauseInstanceOf(ChunkNotFoundException.class);
        failure.failures().clear();
        assertThat(failure.failures().keySet()).containsExactly(2, 7);
    }

    @Test
    void unpinsOnceAndKnowsItsBounds() {
        AtomicInteger unpinned = new AtomicInteger();
        PinnedRange range =
                new PinnedRange(
                        ChunkId.of(3, 65_535), 3, local -> local * 8, unpinned::incrementAndGet);

        assertThat(range.entryAddress(2)).isEqualTo(65_537L * 8);
        assertThat(range.pageEnd(0)).isEqualTo(1);
        assertThat(range.pageEnd(1)).isEqualTo(3);
        assertThatThrownBy(() -> range.pageEnd(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> range.entryAddress(-1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> range.address(3)).isInstanceOf(IndexOutOfBoundsException.class);
        range.close();
        range.close();
        assertThat(unpinned).hasValue(1);
    }
}
