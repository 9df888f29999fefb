package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every transport promises. */
@Timeout(30)
class NetworkTest {

    private static final Duration SECONDS_5 = Duration.ofSeconds(5);

    @ParameterizedTest
    @EnumSource
    void carriesMessagesRequestsAndRawBlocks(Pair.Kind kind) throws Exception {
        CompletableFuture<Text> got = new CompletableFuture<>();
        CompletableFuture<Long> raw = new CompletableFuture<>();

        try (Pair pair = new Pair(kind)) {
            Network a = pair.node(1);
            Network b = pair.node(2);
            b.handle(Text.TYPE, Execution.INLINE, (source, m) -> got.complete(m));
            b.serve(
                    Ask.TYPE,
                    Execution.WORKER,
                    (source, q) -> new Text(q.number() + 1, "from " + source));
            b.handleRaw(7, (source, address, bytes) -> raw.complete(NativeMemory.getLong(address)));
            a.send(2, new Text(5, "grüß"));
            Text answer = a.call(2, new Ask(41), SECONDS_5);
            RawSender sender = a.raw(2);
            NativeMemory.putLong(sender.claim(7, 8), 99);
            sender.commit();

            assertThat(got.get(5, TimeUnit.SECONDS)).isEqualTo(new Text(5, "grüß"));
            assertThat(answer).isEqualTo(new Text(42, "from 1"));
            assertThat(raw.get(5, TimeUnit.SECONDS)).isEqualTo(99);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsOrderWhenManyThreadsSend(Pair.Kind kind) throws Exception {
        int threads = 4;
        int each = 20_000;
        int[] last = new int[threads];
        Arrays.fill(last, -1);
        AtomicInteger disorder = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(threads * each);
        TestLimits config = TestLimits.defaults().withRingBytes(8 << 10);

        try (Pair pair = new Pair(kind, config)) {
            pair.node(2)
                    .handle(
                            Text.TYPE,
                            Execution.INLINE,
                            (source, m) -> {
                                int thread = Integer.parseInt(m.text());
                                if (m.number() != last[thread] + 1) {
                                    disorder.incrementAndGet();
                                }
                                last[thread] = m.number();
                                all.countDown();
                            });
            Network a = pair.node(1);
            for (int t = 0; t < threads; t++) {
                String name = Integer.toString(t);
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; i < each; i++) {
                                a.send(2, new Text(i, name));
                            }
                        });
            }

            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(disorder).hasValue(0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsOrderBetweenObjectsAndRawBlocksOfOneThread(Pair.Kind kind) throws Exception {
        int count = 5_000;
        List<Integer> seen = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(count);

        try (Pair pair = new Pair(kind)) {
            pair.node(2)
                    .handle(
                            Text.TYPE,
                            Execution.INLINE,
                            (source, m) -> {
                                seen.add(m.number());
                                all.countDown();
                            });
            pair.node(2)
                    .handleRaw(
                            9,
                            (source, address, bytes) -> {
                                seen.add(NativeMemory.getInt(address));
                                all.countDown();
                            });
            RawSender raw = pair.node(1).raw(2);
            for (int i = 0; i < count; i++) {
                if (i % 3 == 0) {
                    NativeMemory.putInt(raw.claim(9, 4 + i % 64), i);
                    raw.commit();
                } else {
                    pair.node(1).send(2, new Text(i, ""));
                }
            }

            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(seen).isSorted().hasSize(count);
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsOrderedHandlersInOrderOnWorkers(Pair.Kind kind) throws Exception {
        int count = 5_000;
        List<Integer> seen = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(count);

        try (Pair pair = new Pair(kind)) {
            pair.node(2)
                    .handle(
                            Text.TYPE,
                            Execution.ORDERED,
                            (source, m) -> {
                                seen.add(m.number());
                                all.countDown();
                            });
            for (int i = 0; i < count; i++) {
                pair.node(1).send(2, new Text(i, "x"));
            }

            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(seen).isSorted();
        }
    }

    @ParameterizedTest
    @EnumSource
    void carriesMessagesLargerThanTheRing(Pair.Kind kind) throws Exception {
        TestLimits config = TestLimits.defaults().withRingBytes(16 << 10).withWindowBytes(64 << 10);
        byte[] load = new byte[3_000_001];
        for (int i = 0; i < load.length; i++) {
            load[i] = (byte) (i * 31 + (i >>> 12));
        }

        try (Pair pair = new Pair(kind, config)) {
            pair.node(2)
                    .serve(
                            Ask.TYPE,
                            Execution.WORKER,
                            (source, q) ->
                                    new Text(Arrays.hashCode(q.load()), "é".repeat(400_000)));
            List<CompletableFuture<Text>> answers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                answers.add(
                        CompletableFuture.supplyAsync(() ->
                                pair.node(1)
                                        .request(2, new Ask(0, load), Duration.ofSeconds(20))
                                        .join()));
            }

            for (CompletableFuture<Text> answer : answers) {
                Text text = answer.get(20, TimeUnit.SECONDS);
                assertThat(text.number()).isEqualTo(Arrays.hashCode(load));
                assertThat(text.text()).isEqualTo("é".repeat(400_000));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesMessagesPastTheLimitBeforeSending(Pair.Kind kind) {
        TestLimits tuned = TestLimits.defaults().withMaxMessageBytes(10_000);

        try (Pair pair = new Pair(kind, tuned)) {
            pair.node(2);

            assertThatThrownBy(() -> pair.node(1).send(2, new Text(1, "x".repeat(10_000))))
                    .isInstanceOf(MessageTooLargeException.class)
                    .hasMessageContaining("the limit is");
        }
    }

    @ParameterizedTest
    @EnumSource
    void letsHandlersCallEachOtherDeeply(Pair.Kind kind) throws Exception {
        TestLimits config = TestLimits.defaults().withWorkers(2, 512);
        MessageType<Ask> ask = Ask.TYPE;

        try (Pair pair = new Pair(kind, config)) {
            for (int node = 1; node <= 2; node++) {
                Network self = pair.node(node);
                int other = 3 - node;
                self.serve(
                        ask,
                        Execution.WORKER,
                        (source, q) -> {
                            if (q.number() == 0) {
                                return new Text(0, "");
                            }
                            Text below =
                                    self.call(
                                            other, new Ask(q.number() - 1), Duration.ofSeconds(15));
                            return new Text(below.number() + 1, "");
                        });
            }
            List<CompletableFuture<Text>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                answers.add(pair.node(1).request(2, new Ask(5), Duration.ofSeconds(15)));
            }

            for (CompletableFuture<Text> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS).number()).isEqualTo(5);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void repliesFromInlineHandlersWithoutDeadlockWhenRingsAreFull(Pair.Kind kind) throws Exception {
        TestLimits config = TestLimits.defaults().withRingBytes(4 << 10).withWindowBytes(4 << 10);
        int count = 5_000;
        String filler = "y".repeat(200);

        try (Pair pair = new Pair(kind, config)) {
            List<CompletableFuture<Integer>> senders = new ArrayList<>();
            for (int node = 1; node <= 2; node++) {
                pair.node(node)
                        .serve(
                                Ask.TYPE,
                                Execution.INLINE,
                                (source, q) -> new Text(q.number(), filler));
            }
            for (int node = 1; node <= 2; node++) {
                Network self = pair.node(node);
                int other = 3 - node;
                senders.add(
                        CompletableFuture.supplyAsync(() -> {
                            List<CompletableFuture<Text>> answers = new ArrayList<>();
                            for (int i = 0; i < count; i++) {
                                answers.add(
                                        self.request(other, new Ask(i), Duration.ofSeconds(20)));
                            }
                            return answers.stream()
                                    .mapToInt(a -> a.join().text().length() / 200)
                                    .sum();
                        }));
            }

            for (CompletableFuture<Integer> sender : senders) {
                assertThat(sender.get(25, TimeUnit.SECONDS)).isEqualTo(count);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsToItselfInOrder(Pair.Kind kind) throws Exception {
        int count = 50_000;
        List<Integer> seen = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(count);
        TestLimits config = TestLimits.defaults().withRingBytes(8 << 10).withWindowBytes(16 << 10);

        try (Pair pair = new Pair(kind, config)) {
            Network self = pair.node(1);
            self.handle(
                    Text.TYPE,
                    Execution.INLINE,
                    (source, m) -> {
                        seen.add(m.number());
                        all.countDown();
                    });
            self.serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(source, ""));
            for (int i = 0; i < count; i++) {
                self.send(1, new Text(i, ""));
            }

            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(seen).isSorted();
            assertThat(self.call(1, new Ask(1), SECONDS_5).number()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsRequestsWithoutAnswerInTime(Pair.Kind kind) {
        try (Pair pair = new Pair(kind)) {
            pair.node(2).serveAsync(Ask.TYPE, Execution.INLINE, (source, q, responder) -> {});

            assertThatThrownBy(() -> pair.node(1).call(2, new Ask(1), Duration.ofMillis(50)))
                    .isInstanceOf(RequestTimeoutException.class)
                    .hasMessageContaining("ask(101)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void carriesFailuresOfServersBackToTheirCallers(Pair.Kind kind) {
        try (Pair pair = new Pair(kind)) {
            pair.node(2)
                    .serve(
                            Ask.TYPE,
                            Execution.WORKER,
                            (source, q) -> {
                                throw new IllegalStateException("no such thing");
                            });

            assertThatThrownBy(() -> pair.node(1).call(2, new Ask(1), SECONDS_5))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("IllegalStateException: no such thing");
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysWhenNobodyServesARequest(Pair.Kind kind) {
        try (Pair pair = new Pair(kind)) {
            pair.node(2);

            assertThatThrownBy(() -> pair.node(1).call(2, new Ask(1), SECONDS_5))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageMatching(
                            ".*\\(101\\) failed at node 2: it serves no requests of this type \\(yet\\)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void knowsNoNodeThatTheAddressesDoNotName(Pair.Kind kind) {
        try (Pair pair = new Pair(kind)) {
            assertThatThrownBy(() -> pair.node(1).send(77, new Text(1, "")))
                    .isInstanceOf(NodeUnknownException.class)
                    .hasMessageContaining("77");
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsALostNodeOnceAndEndsItsRequests(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            Network a = pair.node(1);
            AtomicInteger losses = new AtomicInteger();
            CountDownLatch lost = new CountDownLatch(1);
            a.onNodeLost(node -> {
                losses.addAndGet(node);
                lost.countDown();
            });
            pair.node(2).serveAsync(Ask.TYPE, Execution.INLINE, (source, q, responder) -> {});
            pair.node(2).send(1, new Text(1, "the other direction too"));
            CompletableFuture<Text> unanswered = a.request(2, new Ask(1), Duration.ofSeconds(20));
            pair.closeNode(2);

            assertThatThrownBy(() -> unanswered.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(NodeLostException.class);
            assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> a.call(2, new Ask(1), SECONDS_5))
                    .isInstanceOf(NetException.class);
            assertThat(losses).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectsAnewAfterADisconnect(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            CountDownLatch lost = new CountDownLatch(1);
            pair.node(2).onNodeLost(node -> lost.countDown());
            pair.node(2).serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(q.number(), ""));
            pair.node(1).call(2, new Ask(1), SECONDS_5);
            pair.node(1).disconnect(2);

            assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(pair.node(1).call(2, new Ask(2), SECONDS_5).number()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void stopsTheSenderWhileAReceiverIsSlow(Pair.Kind kind) throws Exception {
        int window = 64 << 10;
        TestLimits config = TestLimits.defaults().withRingBytes(64 << 10).withWindowBytes(window);
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger sent = new AtomicInteger();
        int count = 2_000;
        CountDownLatch all = new CountDownLatch(count);

        try (Pair pair = new Pair(kind, config)) {
            pair.node(2)
                    .handle(
                            Text.TYPE,
                            Execution.ORDERED,
                            (source, m) -> {
                                try {
                                    gate.await();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                                handled.incrementAndGet();
                                all.countDown();
                            });
            Thread sender =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < count; i++) {
                                    pair.node(1).send(2, new Text(i, "z".repeat(1000)));
                                    sent.incrementAndGet();
                                }
                            });
            int least = window / 1024 - 2;
            for (int waits = 0; sent.get() < least && waits < 40; waits++) {
                sender.join(500);
            }
            sender.join(200);
            int sentWhileClosed = sent.get();
            NetStatistics.Connection connection =
                    pair.node(1).statistics().connections().getFirst();
            gate.countDown();

            assertThat(sentWhileClosed).isBetween(least, window / 1000 + 1);
            assertThat(connection.stalls()).isPositive();
            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(handled).hasValue(count);
        }
    }

    @ParameterizedTest
    @EnumSource
    void survivesSimultaneousConnectsFromBothSides(Pair.Kind kind) throws Exception {
        connectFromBothSides(kind, kind.rounds(20));
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void survivesManySimultaneousConnects(Pair.Kind kind) throws Exception {
        connectFromBothSides(kind, kind.rounds(100));
    }

    private static void connectFromBothSides(Pair.Kind kind, int rounds) throws Exception {
        for (int round = 0; round < rounds; round++) {
            try (Pair pair = new Pair(kind)) {
                for (int node = 1; node <= 2; node++) {
                    pair.node(node)
                            .serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(source, ""));
                }
                CompletableFuture<Text> one =
                        CompletableFuture.supplyAsync(() -> call(pair.node(1), 2));
                CompletableFuture<Text> two =
                        CompletableFuture.supplyAsync(() -> call(pair.node(2), 1));

                assertThat(one.get(10, TimeUnit.SECONDS).number()).isEqualTo(1);
                assertThat(two.get(10, TimeUnit.SECONDS).number()).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void closesIdleConnectionsPastTheLimitWithoutALoss(Pair.Kind kind) throws Exception {
        TestLimits config = TestLimits.defaults().withMaxConnections(2);

        try (Pair pair = new Pair(kind, config)) {
            AtomicInteger losses = new AtomicInteger();
            for (int node = 2; node <= 6; node++) {
                pair.node(node)
                        .serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(q.number(), ""));
                pair.node(node).onNodeLost(lost -> losses.incrementAndGet());
            }
            for (int round = 0; round < 3; round++) {
                for (int node = 2; node <= 6; node++) {
                    assertThat(pair.node(1).call(node, new Ask(node), SECONDS_5).number())
                            .isEqualTo(node);
                }
            }

            assertThat(
                            pair.node(1).statistics().connections().stream()
                                    .filter(connection -> connection.sentMessages() > 0))
                    .hasSizeLessThanOrEqualTo(3);
            assertThat(losses).hasValue(0);
        }
    }

    private static Text call(Network network, int node) {
        try {
            return network.call(node, new Ask(0), SECONDS_5);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
