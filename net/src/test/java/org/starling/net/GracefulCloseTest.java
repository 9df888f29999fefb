package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections closed on purpose lose, double and reorder nothing; lost ones are told of once. */
@Timeout(50)
class GracefulCloseTest {

    private static final Duration SECONDS_10 = Duration.ofSeconds(10);
    private static final int RAW_TYPE = 5;

    /** What all nodes have got from each sending thread, in the order in which it came. */
    private static final class Ledger {
        private final int nodes;
        private final int threads;
        private final AtomicIntegerArray last;
        private final AtomicInteger disorder = new AtomicInteger();
        private final CountDownLatch missing;

        private Ledger(int nodes, int threads, int each) {
            this.nodes = nodes;
            this.threads = threads;
            this.last = new AtomicIntegerArray(nodes * threads * nodes);
            this.missing = new CountDownLatch(nodes * threads * nodes * each);
        }

        private void got(int source, int thread, int target, int number) {
            int slot = (source * threads + thread) * nodes + target;
            if (!last.compareAndSet(slot, number - 1, number)) {
                disorder.incrementAndGet();
            }
            missing.countDown();
        }

        private void check(Pair pair) throws InterruptedException {
            boolean isComplete = missing.await(30, TimeUnit.SECONDS);
            for (int node = 0; node < nodes; node++) {
                NetStatistics figures = pair.node(node).statistics();
                assertThat(figures.lost()).as("losses of node %d", node).isZero();
                assertThat(figures.malformed()).as("malformed at node %d", node).isZero();
            }
            assertThat(isComplete).as("%d are missing", missing.getCount()).isTrue();
            assertThat(disorder).hasValue(0);
        }
    }

    private static Stream<Arguments> kindsAndLimits() {
        return Stream.of(Pair.Kind.values())
                .flatMap(kind -> Stream.of(1, 3).map(limit -> Arguments.of(kind, limit)));
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_POSIX"})
    void losesDoublesAndReordersNothingFromAllToAllWithTwoConnectionsEach(Pair.Kind kind)
            throws Exception {
        sendFromAllToAll(kind, 5, 2);
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ETHERNET", "INFINIBAND_POSIX"})
    void losesDoublesAndReordersNothingFromAllToAllWithTwoConnectionsEachOverTheOthers(
            Pair.Kind kind) throws Exception {
        losesDoublesAndReordersNothingFromAllToAllWithTwoConnectionsEach(kind);
    }

    /** A thread that is making a connection as the network closes. */
    @Test
    void givesBackTheMemoryOfConnectionsThatAreJustBeingMade() throws Exception {
        long before = NativeMemory.reservedBytes();
        for (int round = 0; round < 200; round++) {
            Pair pair = new Pair(Pair.Kind.LOOPBACK);
            for (int node = 1; node <= 2; node++) {
                pair.node(node).handle(Text.TYPE, Execution.INLINE, (source, text) -> {});
            }
            Network sending = pair.node(1);
            List<Thread> senders = new ArrayList<>();
            for (int target = 1; target <= 2; target++) {
                int node = target;
                senders.add(Thread.startVirtualThread(() -> sendOrFail(sending, node)));
            }

            pair.close();

            assertThat(NativeMemory.reservedBytes()).as("round %d", round).isEqualTo(before);
            for (Thread sender : senders) {
                sender.join();
            }
        }
    }

    private static void sendOrFail(Network network, int node) {
        try {
            network.send(node, new Text(1, ""));
        } catch (NetException closed) {
            // so it should be
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("kindsAndLimits")
    void losesDoublesAndReordersNothingFromAllToAllWithFewConnections(Pair.Kind kind, int limit)
            throws Exception {
        sendFromAllToAll(kind, 8, limit);
    }

    private static void sendFromAllToAll(Pair.Kind kind, int nodes, int limit) throws Exception {
        int threads = 2;
        int each = kind == Pair.Kind.ETHERNET_TLS ? 4 : 12; // handshakes of TLS take their time
        Ledger objects = new Ledger(nodes, threads, each);
        Ledger blocks = new Ledger(nodes, threads, each);
        TestLimits config =
                TestLimits.defaults()
                        .withMaxConnections(limit)
                        .withRingBytes(16 << 10)
                        .withWindowBytes(16 << 10)
                        .withWorkers(1, 8);

        try (Pair pair = new Pair(kind, config);
                ExecutorService senders = Executors.newFixedThreadPool(nodes * threads)) {
            for (int node = 0; node < nodes; node++) {
                listen(pair.node(node), node, objects, blocks);
            }
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < nodes * threads; i++) {
                int node = i / threads;
                int thread = i % threads;
                sent.add(senders.submit(() -> sendToAll(pair.node(node), thread, nodes, each)));
            }
            for (Future<?> future : sent) {
                future.get(30, TimeUnit.SECONDS);
            }

            objects.check(pair);
            blocks.check(pair);
            long retired = 0;
            for (int node = 0; node < nodes; node++) {
                retired += pair.node(node).statistics().retired();
            }
            assertThat(retired).isGreaterThan(nodes);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOPBACK", "ETHERNET"})
    void answersRequestsOfHandlersInRingsWithOneConnectionEach(Pair.Kind kind) throws Exception {
        askInRings(kind, kind.rounds(5));
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LOOPBACK", "ETHERNET"})
    void answersRequestsOfHandlersInRingsWithOneConnectionEachOverTheOthers(Pair.Kind kind)
            throws Exception {
        answersRequestsOfHandlersInRingsWithOneConnectionEach(kind);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void answersManyRequestsOfHandlersInRingsWithOneConnectionEach(Pair.Kind kind)
            throws Exception {
        askInRings(kind, 10);
    }

    private static void askInRings(Pair.Kind kind, int rounds) throws Exception {
        int nodes = 4;
        TestLimits config = TestLimits.defaults().withMaxConnections(1).withWorkers(2, 256);

        try (Pair pair = new Pair(kind, config)) {
            pair.serveInRing(nodes, SECONDS_10);
            List<CompletableFuture<Text>> answers = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                for (int node = 0; node < nodes; node++) {
                    answers.add(pair.node(node).request((node + 1) % nodes, new Ask(9)));
                }
            }

            for (CompletableFuture<Text> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS).number()).isEqualTo(9);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsNoMoreConnectionsThanTheLimitOnceTheyAreIdle(Pair.Kind kind) throws Exception {
        TestLimits config = TestLimits.defaults().withMaxConnections(2);

        try (Pair pair = new Pair(kind, config)) {
            CountDownLatch got = new CountDownLatch(6);
            for (int node = 1; node <= 6; node++) {
                pair.node(node).handle(Text.TYPE, Execution.WORKER, (source, m) -> got.countDown());
            }
            for (int node = 2; node <= 6; node++) {
                pair.node(1).send(node, new Text(node, ""));
            }
            pair.node(1).send(1, new Text(1, "to itself; that one does not count"));

            assertThat(got.await(10, TimeUnit.SECONDS)).isTrue();
            Await.that(() -> pair.node(1).statistics().retired() >= 3);
            assertThat(pair.node(1).statistics().connections())
                    .extracting(NetStatistics.Connection::node)
                    .contains(1)
                    .hasSizeLessThanOrEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheConnectionThatIsUsedAllTheTime(Pair.Kind kind) throws Exception {
        TestLimits config = TestLimits.defaults().withMaxConnections(2);

        try (Pair pair = new Pair(kind, config)) {
            for (int node = 2; node <= 8; node++) {
                pair.node(node).handle(Text.TYPE, Execution.INLINE, (source, m) -> {});
            }
            Network one = pair.node(1);
            one.send(2, new Text(0, ""));
            for (int node = 3; node <= 8; node++) {
                one.send(2, new Text(node, ""));
                one.send(node, new Text(node, ""));
                int closed = node - 3;
                Await.that(() -> one.statistics().retired() == closed, one::statistics);
            }

            Await.that(
                    () -> // all of them over one connection
                    one.statistics().connections().stream()
                                    .anyMatch(link ->
                                            link.node() == 2 && link.sentBytes() >= 7 * 16));
        }
    }

    @ParameterizedTest
    @EnumSource
    void deliversWhatWasSentBeforeItIsClosedAndIsThenReportedLost(Pair.Kind kind) throws Exception {
        int count = 400;
        TestLimits config = TestLimits.defaults().withRingBytes(64 << 10).withWindowBytes(4 << 20);

        for (int round = 0; round < 5; round++) {
            AtomicInteger numbers = new AtomicInteger();
            CountDownLatch all = new CountDownLatch(count);
            CountDownLatch lost = new CountDownLatch(1);
            try (Pair pair = new Pair(kind, config)) {
                pair.node(2)
                        .handle(
                                Text.TYPE,
                                Execution.ORDERED,
                                (source, m) -> {
                                    if (numbers.compareAndSet(m.number(), m.number() + 1)) {
                                        all.countDown();
                                    }
                                });
                pair.node(2).onNodeLost(node -> lost.countDown());
                for (int i = 0; i < count; i++) {
                    pair.node(1).send(2, new Text(i, "w".repeat(i % 100 == 99 ? 90_000 : 700)));
                }
                pair.closeNode(1);

                assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
                assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
                assertThat(pair.node(2).statistics().lost()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void closesInTimeBesideANodeThatTakesNothingUp(Pair.Kind kind) throws Exception {
        CountDownLatch isStuck = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);

        try (Pair pair = new Pair(kind)) {
            pair.node(2)
                    .handleRaw(
                            RAW_TYPE,
                            (source, address, bytes) -> {
                                isStuck.countDown();
                                awaitQuietly(gate);
                            });
            RawSender raw = pair.node(1).raw(2);
            for (int i = 0; i < 2; i++) {
                NativeMemory.putLong(raw.claim(RAW_TYPE, 8), i);
                raw.commit();
                raw.flush();
                assertThat(isStuck.await(10, TimeUnit.SECONDS)).isTrue();
            }
            CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> pair.closeNode(1));

            try {
                closing.get(10, TimeUnit.SECONDS);
            } finally {
                gate.countDown();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellsOfALossOnceHoweverManyThreadsNotice(Pair.Kind kind) throws Exception {
        lose(kind, 4);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void tellsOfEachOfManyLossesOnce(Pair.Kind kind) throws Exception {
        lose(kind, 50);
    }

    private static void lose(Pair.Kind kind, int rounds) throws Exception {
        AtomicInteger events = new AtomicInteger();

        try (Pair pair = new Pair(kind)) {
            Network one = pair.node(1);
            for (int node = 1; node <= 2; node++) {
                pair.node(node).serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(1, ""));
            }
            one.onNodeLost(node -> events.incrementAndGet());
            for (int round = 1; round <= rounds; round++) {
                one.call(2, new Ask(1), SECONDS_10); // there are links in both directions
                pair.node(2).call(1, new Ask(1), SECONDS_10);
                CompletableFuture<Void> sending =
                        CompletableFuture.runAsync(() -> sendUntilLost(one));
                pair.node(2).disconnect(1);
                sending.get(10, TimeUnit.SECONDS);
                int told = round;
                Await.that(() -> events.get() >= told);
                assertThat(events).hasValue(round);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOPBACK", "ETHERNET"})
    void countsWhatAnEarlierConnectionHasLeftUndoneAgainstTheWindow(Pair.Kind kind)
            throws Exception {
        int window = 32 << 10;
        int messages = 80; // more than the windows of two connections take
        TestLimits config =
                TestLimits.defaults()
                        .withMaxConnections(1)
                        .withRingBytes(16 << 10)
                        .withWindowBytes(window)
                        .withWorkers(2, 8);
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger sent = new AtomicInteger();
        List<Integer> got = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(messages);

        try (Pair pair = new Pair(kind, config)) {
            pair.node(2)
                    .handle(
                            Text.TYPE,
                            Execution.ORDERED,
                            (source, m) -> {
                                awaitQuietly(gate);
                                got.add(m.number());
                                all.countDown();
                            });
            pair.node(3).handle(Text.TYPE, Execution.INLINE, (source, m) -> {});
            Network one = pair.node(1);
            Thread sender =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < messages; i++) {
                                    one.send(2, new Text(i, "z".repeat(1_000)));
                                    sent.incrementAndGet();
                                    one.send(3, new Text(i, "makes the other one go"));
                                }
                            });
            sender.join(1_000);

            assertThat(sender.isAlive()).isTrue();
            assertThat(sent.get() * 1_000L).isLessThan(2L * window);
            gate.countDown();
            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(got).isSorted();
            sender.join(10_000);
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LOOPBACK", "ETHERNET"})
    void countsWhatAnEarlierConnectionHasLeftUndoneAgainstTheWindowOverTheOthers(Pair.Kind kind)
            throws Exception {
        countsWhatAnEarlierConnectionHasLeftUndoneAgainstTheWindow(kind);
    }

    private static void sendUntilLost(Network network) {
        try {
            for (int i = 0; i < 1_000_000; i++) {
                network.send(2, new Text(i, ""));
                if (network.statistics().lost() > 0 && i > 1_000) {
                    return;
                }
            }
        } catch (NodeLostException e) {
            assertThat(e.node()).isEqualTo(2);
        }
    }

    private static void awaitQuietly(CountDownLatch gate) {
        try {
            gate.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Objects go to ordered handlers and raw blocks are taken up at once: two orders to keep. */
    private static void listen(Network network, int node, Ledger objects, Ledger blocks) {
        network.handle(
                Text.TYPE,
                Execution.ORDERED,
                (source, m) -> objects.got(source, m.text().charAt(0) - '0', node, m.number()));
        network.handleRaw(
                RAW_TYPE,
                (source, address, bytes) ->
                        blocks.got(
                                source,
                                NativeMemory.getInt(address),
                                node,
                                NativeMemory.getInt(address + 4)));
    }

    private static void sendToAll(Network network, int thread, int nodes, int each) {
        String small = thread + " ".repeat(700);
        String large = thread + " ".repeat(40_000);
        for (int number = 1; number <= each; number++) {
            for (int target = 0; target < nodes; target++) {
                network.send(target, new Text(number, number % 5 == 0 ? large : small));
                RawSender raw = network.raw(target);
                long address = raw.claim(RAW_TYPE, 8 + number);
                NativeMemory.putInt(address, thread);
                NativeMemory.putInt(address + 4, number);
                raw.commit();
            }
        }
    }
}
