package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** More than two nodes at once, connections that come and go, and what the figures say about it. */
@Timeout(40)
class ManyNodesTest {

    private static final Duration SECONDS_10 = Duration.ofSeconds(10);
    private static final int RAW_TYPE = 5;

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_POSIX"})
    void carriesEverythingUnharmedFromAllToAll(Pair.Kind kind) throws Exception {
        int nodes = kind == Pair.Kind.LOOPBACK ? 20 : 8;
        int each = 30;
        AtomicIntegerArray good = new AtomicIntegerArray(nodes * nodes);
        CountDownLatch all = new CountDownLatch(nodes * nodes * each);
        TestLimits config =
                TestLimits.defaults()
                        .withRingBytes(16 << 10)
                        .withWindowBytes(32 << 10)
                        .withWorkers(1, 8);

        try (Pair pair = new Pair(kind, config)) {
            for (int node = 0; node < nodes; node++) {
                int self = node;
                pair.node(node)
                        .handleRaw(
                                RAW_TYPE,
                                (source, address, bytes) -> {
                                    if (isWhole(address, bytes)) {
                                        good.incrementAndGet(source * nodes + self);
                                    }
                                    all.countDown();
                                });
            }
            IntStream.range(0, nodes)
                    .mapToObj(node ->
                            CompletableFuture.runAsync(() -> sendToAll(pair, node, nodes, each)))
                    .toList()
                    .forEach(CompletableFuture::join);

            assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < nodes * nodes; i++) {
                assertThat(good.get(i)).as("%d to %d", i / nodes, i % nodes).isEqualTo(each);
            }
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ETHERNET", "INFINIBAND_POSIX"})
    void carriesEverythingUnharmedFromAllToAllOverTheOthers(Pair.Kind kind) throws Exception {
        carriesEverythingUnharmedFromAllToAll(kind);
    }

    @ParameterizedTest
    @EnumSource
    void sendsToSeveralNodesIncludingItself(Pair.Kind kind) throws Exception {
        CountDownLatch all = new CountDownLatch(4);
        AtomicInteger sum = new AtomicInteger();

        try (Pair pair = new Pair(kind)) {
            for (int node = 1; node <= 4; node++) {
                int self = node;
                pair.node(node)
                        .handle(
                                Text.TYPE,
                                Execution.WORKER,
                                (source, m) -> {
                                    sum.addAndGet(self * m.number());
                                    all.countDown();
                                });
            }
            pair.node(1).send(new int[] {1, 2, 3, 4}, new Text(10, "to all"));
            pair.node(1).send(new int[0], new Text(1_000, "to none"));

            assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(sum).hasValue(100);
        }
    }

    @ParameterizedTest
    @EnumSource
    void namesEachNodeItCouldNotSendTo(Pair.Kind kind) throws Exception {
        CountDownLatch got = new CountDownLatch(1);

        try (Pair pair = new Pair(kind)) {
            pair.node(2).handle(Text.TYPE, Execution.INLINE, (source, m) -> got.countDown());

            assertThatThrownBy(() -> pair.node(1).send(new int[] {70, 2, 71}, new Text(1, "")))
                    .isInstanceOf(NodeUnknownException.class)
                    .hasMessageContaining("70")
                    .satisfies(failure ->
                            assertThat(failure.getSuppressed())
                                    .singleElement()
                                    .isInstanceOf(NodeUnknownException.class));
            assertThat(got.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void outlivesARequestThatNobodyServesFromANodeThatIsNotKnownHere() throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        NetConfig config = NetConfig.defaults();
        try (Network host = Network.open(1, Transports.ethernet(anyPort, id -> null), config)) {
            InetSocketAddress there = Objects.requireNonNull(host.localAddress());
            AddressBook book = id -> id == 1 ? there : null;
            try (Network guest = Network.open(2, Transports.ethernet(anyPort, book), config)) {
                CompletableFuture<Text> unanswered = guest.request(1, new Ask(1), SECONDS_10);
                CountDownLatch heard = new CountDownLatch(1);
                host.handle(Text.TYPE, Execution.INLINE, (source, m) -> heard.countDown());

                guest.send(1, new Text(1, "still there?"));

                assertThat(heard.await(10, TimeUnit.SECONDS)).isTrue();
                assertThat(unanswered).isNotCompleted();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void failsFuturesOfRequestsToUnknownNodesAndForgetsThem(Pair.Kind kind) {
        TestLimits config = TestLimits.defaults().withMaxPendingRequests(1);

        try (Pair pair = new Pair(kind, config)) {
            for (int i = 0; i < 3; i++) { // the second would be one too many
                assertThatThrownBy(() -> pair.node(1).request(9, new Ask(1), SECONDS_10).get())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(NodeUnknownException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void findsANodeThatJoinsLater(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            assertThatThrownBy(() -> pair.node(1).call(2, new Ask(1), SECONDS_10))
                    .isInstanceOf(NodeUnknownException.class);

            pair.node(2).serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(7, ""));

            assertThat(pair.node(1).call(2, new Ask(1), SECONDS_10).number()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void findsANodeThatHasMovedToAnotherAddress(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            CountDownLatch lost = new CountDownLatch(1);
            pair.node(1).onNodeLost(node -> lost.countDown());
            pair.node(2).serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(1, ""));
            assertThat(pair.node(1).call(2, new Ask(0), SECONDS_10).number()).isEqualTo(1);
            pair.closeNode(2);
            assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();

            pair.node(2).serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(2, ""));

            assertThat(pair.node(1).call(2, new Ask(0), SECONDS_10).number()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsFramesAndBytesTheSameOnBothSides(Pair.Kind kind) throws Exception {
        int count = 100;
        int blockBytes = 24;

        try (Pair pair = new Pair(kind)) {
            CountDownLatch all = new CountDownLatch(count);
            pair.node(2).handleRaw(RAW_TYPE, (source, address, bytes) -> all.countDown());
            pair.node(2).serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(1, ""));
            RawSender raw = pair.node(1).raw(2);
            for (int i = 0; i < count; i++) {
                NativeMemory.fill(raw.claim(RAW_TYPE, blockBytes), blockBytes, (byte) i);
                raw.commit();
            }
            raw.flush();
            assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
            pair.node(1).call(2, new Ask(0), SECONDS_10); // the last of them is counted by then

            NetStatistics.Connection sent = connection(pair.node(1), 2);
            NetStatistics.Connection received = connection(pair.node(2), 1);
            long askBytes = 8 + 8 + 5 + 3;
            // a sender counts after the receiver has handled: perhaps the last one not yet
            assertThat(sent.sentMessages()).isBetween((long) count, count + 1L);
            long blocksBytes = count * (8L + blockBytes);
            assertThat(sent.sentBytes()).isIn(blocksBytes, blocksBytes + askBytes);
            assertThat(received.receivedMessages()).isBetween((long) count, count + 1L);
            assertThat(sent.writes()).isBetween(1L, count + 1L);
            assertThat(sent.aggregationFactor())
                    .isEqualTo((double) sent.sentMessages() / sent.writes());
            assertThat(sent.stalls()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void startsWithAllFiguresAtZero(Pair.Kind kind) {
        try (Pair pair = new Pair(kind)) {
            NetStatistics figures = pair.node(1).statistics();

            assertThat(figures)
                    .isEqualTo(
                            new NetStatistics(
                                    List.of(),
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    0,
                                    new NetStatistics.RoundTrips(0, 0, 0, 0, 0),
                                    new NetStatistics.Queues(0, 0, 0, 0, 0, 0)));
            assertThat(new NetStatistics.Connection(1, 0, 0, 0, 0, 0, 0, 0, 0).aggregationFactor())
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsSendsAndRequestsOfAClosedNetworkAtOnce(Pair.Kind kind) {
        try (Pair pair = new Pair(kind)) {
            Network closed = pair.node(1);
            pair.node(2);
            RawSender raw = closed.raw(2);
            pair.closeNode(1);

            assertThatThrownBy(() -> closed.send(2, new Text(1, "")))
                    .isInstanceOf(NetException.class);
            assertThatThrownBy(() -> closed.call(2, new Ask(1), SECONDS_10))
                    .isInstanceOf(NetException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(() -> raw.claim(RAW_TYPE, 8)).isInstanceOf(NetException.class);
            closed.close(); // once more does nothing
        }
    }

    @ParameterizedTest
    @EnumSource
    void claimsAnewAfterALossAndDropsWhatWasClaimedBefore(Pair.Kind kind) throws Exception {
        List<Long> got = new ArrayList<>();
        CountDownLatch second = new CountDownLatch(1);

        try (Pair pair = new Pair(kind)) {
            pair.node(2)
                    .handleRaw(
                            RAW_TYPE,
                            (source, address, bytes) -> {
                                got.add(NativeMemory.getLong(address));
                                second.countDown();
                            });
            RawSender raw = pair.node(1).raw(2);
            NativeMemory.putLong(raw.claim(RAW_TYPE, 8), 1);
            pair.node(1).disconnect(2);
            raw.commit(); // into a ring that nobody reads any more

            NativeMemory.putLong(raw.claim(RAW_TYPE, 8), 2);
            raw.commit();

            assertThat(second.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(got).containsExactly(2L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesNodeIdsOutsideTheRange(Pair.Kind kind) {
        try (Pair pair = new Pair(kind)) {
            Network network = pair.node(65_535);

            for (int node : new int[] {-1, 65_536, Integer.MIN_VALUE}) {
                assertThatThrownBy(() -> network.raw(node))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> network.disconnect(node))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> pair.node(node))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("0..65535");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void takesOneHandlerPerType(Pair.Kind kind) {
        try (Pair pair = new Pair(kind)) {
            Network network = pair.node(1);
            network.handle(Text.TYPE, Execution.INLINE, (source, m) -> {});
            network.handleRaw(Text.TYPE.id(), (source, address, bytes) -> {}); // counted apart

            assertThatThrownBy(() -> network.handle(Text.TYPE, Execution.WORKER, (s, m) -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("text(100)");
            assertThatThrownBy(() -> network.handleRaw(100, (source, address, bytes) -> {}))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> network.handleRaw(0, (source, address, bytes) -> {}))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> network.handleRaw(32_768, (source, address, bytes) -> {}))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dropsAnswersThatComeAfterTheTimeout(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            CompletableFuture<Responder<Text>> late = pair.serveLate(2);
            assertThatThrownBy(() -> pair.node(1).call(2, new Ask(1), Duration.ofMillis(250)))
                    .isInstanceOf(RequestTimeoutException.class);

            late.get(10, TimeUnit.SECONDS).respond(new Text(1, "too late"));

            assertThat(pair.node(1).call(2, new Ask(2), SECONDS_10).number()).isEqualTo(2);
            assertThat(pair.node(1).statistics().malformed()).isZero();
        }
    }

    private static void sendToAll(Pair pair, int node, int nodes, int each) {
        Random random = new Random(node);
        for (int i = 0; i < each; i++) {
            for (int target = 0; target < nodes; target++) {
                byte[] load = new byte[1 + random.nextInt(2_000)];
                random.nextBytes(load);
                CRC32C checksum = new CRC32C();
                checksum.update(load);
                RawSender raw = pair.node(node).raw(target);
                long address = raw.claim(RAW_TYPE, 4 + load.length);
                NativeMemory.putInt(address, (int) checksum.getValue());
                NativeMemory.copyFromArray(load, 0, address + 4, load.length);
                raw.commit();
            }
        }
    }

    private static boolean isWhole(long address, int bytes) {
        byte[] load = new byte[bytes - 4];
        NativeMemory.copyToArray(address + 4, load, 0, load.length);
        CRC32C checksum = new CRC32C();
        checksum.update(load);
        return NativeMemory.getInt(address) == (int) checksum.getValue();
    }

    private static NetStatistics.Connection connection(Network network, int node) {
        return network.statistics().connections().stream()
                .filter(connection -> connection.node() == node)
                .findFirst()
                .orElseThrow();
    }
}
