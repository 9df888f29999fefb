package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Corners of what every transport promises: ways of waiting, closing at bad moments, wrong use. */
@Timeout(30)
class NetworkModesTest {

    private static final Duration SECONDS_5 = Duration.ofSeconds(5);

    @ParameterizedTest
    @EnumSource
    void answersCallsHoweverThreadsWait(Waiting waiting) throws Exception {
        for (Pair.Kind kind : Pair.Kind.values()) {
            if (!kind.isAvailable()) {
                continue;
            }
            try (Pair pair = new Pair(kind, NetConfig.defaults().withWaiting(waiting))) {
                pair.node(2)
                        .serve(Ask.TYPE, Execution.WORKER, (source, q) -> new Text(q.number(), ""));
                for (int i = 0; i < 20; i++) {
                    assertThat(pair.node(1).call(2, new Ask(i), SECONDS_5).number()).isEqualTo(i);
                }
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void usesAlmostNoCpuWhileIdle(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            pair.node(2).serve(Ask.TYPE, Execution.WORKER, (source, q) -> new Text(q.number(), ""));
            pair.node(1).call(2, new Ask(1), SECONDS_5);
            long before = cpuNanosOfNetThreads();
            new CountDownLatch(1).await(1, TimeUnit.SECONDS);

            assertThat(cpuNanosOfNetThreads() - before)
                    .isLessThan(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @ParameterizedTest
    @EnumSource
    void handlesWhatIsLeftOfALostConnectionBeforeWhatComesOverTheNext(Pair.Kind kind)
            throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(6);
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        try (Pair pair = new Pair(kind)) {
            pair.node(2)
                    .handle(
                            Text.TYPE,
                            Execution.ORDERED,
                            (source, m) -> {
                                waitFor(release);
                                seen.add(m.number());
                                all.countDown();
                            });
            pair.node(2).serve(Ask.TYPE, Execution.INLINE, (s, q) -> new Text(q.number(), ""));
            Network sender = pair.node(1);
            for (int i = 0; i < 6; i++) {
                sender.send(2, new Text(i, ""));
                sender.call(2, new Ask(i), SECONDS_5); // what was sent before has arrived
                if (i == 2) {
                    sender.disconnect(2);
                }
            }
            release.countDown();

            assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(seen).containsExactly(0, 1, 2, 3, 4, 5);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET_TLS", "INFINIBAND_POSIX"})
    void leavesNothingBehindWhenClosedInTheMiddleOfLargeMessages(Pair.Kind kind) throws Exception {
        TestLimits config =
                TestLimits.defaults().withRingBytes(64 << 10).withWindowBytes(256 << 10);
        CountDownLatch started = new CountDownLatch(3);
        AtomicInteger failures = new AtomicInteger();

        try (Pair pair = new Pair(kind, config)) {
            Network receiver = pair.node(2);
            receiver.handle(Text.TYPE, Execution.ORDERED, (source, m) -> started.countDown());
            receiver.serve(
                    Ask.TYPE,
                    Execution.ORDERED,
                    (source, q) -> {
                        started.countDown();
                        new CountDownLatch(1).await(20, TimeUnit.SECONDS);
                        return new Text(0, "");
                    });
            Thread[] senders = new Thread[4];
            Network sender = pair.node(1);
            for (int t = 0; t < senders.length; t++) {
                senders[t] =
                        Thread.ofPlatform()
                                .start(() -> {
                                    try {
                                        for (int i = 0; i < 1_000; i++) {
                                            sender.send(2, new Text(i, "w".repeat(500_000)));
                                            sender.request(
                                                            2,
                                                            new Ask(i, new byte[300_000]),
                                                            SECONDS_5)
                                                    .isDone();
                                        }
                                    } catch (NetException e) {
                                        failures.incrementAndGet();
                                    }
                                });
            }
            started.await(1, TimeUnit.SECONDS);
            pair.closeNode(2);
            for (Thread thread : senders) {
                thread.join(10_000);
            }

            assertThat(failures).hasValue(senders.length);
        } // checks that no native memory is left
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ETHERNET_TLS", "INFINIBAND_POSIX"})
    void leavesNothingBehindWhenClosedInTheMiddleOfLargeMessagesOverTheOthers(Pair.Kind kind)
            throws Exception {
        leavesNothingBehindWhenClosedInTheMiddleOfLargeMessages(kind);
    }

    @ParameterizedTest
    @EnumSource
    void leavesNothingBehindWhenTheSenderIsClosedUnderItsThreads(Pair.Kind kind) throws Exception {
        for (int round = 0; round < 5; round++) {
            try (Pair pair = new Pair(kind)) {
                pair.node(2).handleRaw(1, (source, address, bytes) -> {});
                Network sender = pair.node(1);
                AtomicReference<Exception> end = new AtomicReference<>();
                Thread thread =
                        Thread.ofPlatform()
                                .start(() -> {
                                    try {
                                        RawSender raw = sender.raw(2);
                                        while (true) {
                                            NativeMemory.putLong(raw.claim(1, 100), 1);
                                            raw.commit();
                                        }
                                    } catch (NetException e) {
                                        end.set(e);
                                    }
                                });
                thread.join(20);
                pair.closeNode(1);
                thread.join(5_000);

                assertThat(end.get()).isInstanceOf(NetException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesCallsOnTheReceivingThread(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            CompletableFuture<Throwable> refusal = new CompletableFuture<>();
            Network node = pair.node(2);
            node.handle(
                    Text.TYPE,
                    Execution.INLINE,
                    (source, m) -> {
                        try {
                            node.call(1, new Ask(1), SECONDS_5);
                        } catch (IllegalStateException | InterruptedException e) {
                            refusal.complete(e);
                        }
                    });
            pair.node(1).send(2, new Text(1, ""));

            assertThat(refusal.get(5, TimeUnit.SECONDS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("receiving thread");
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersANodeItHasNoConnectionToFromAnInlineHandler(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            CompletableFuture<Text> echoed = new CompletableFuture<>();
            Network node = pair.node(2);
            node.handle(Text.TYPE, Execution.INLINE, (source, m) -> node.send(source, m));
            pair.node(1).handle(Text.TYPE, Execution.INLINE, (source, m) -> echoed.complete(m));
            pair.node(1).send(2, new Text(8, "there and back"));

            assertThat(echoed.get(5, TimeUnit.SECONDS)).isEqualTo(new Text(8, "there and back"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsToAllNodesThatItCanReach(Pair.Kind kind) throws Exception {
        CountDownLatch got = new CountDownLatch(2);

        try (Pair pair = new Pair(kind)) {
            for (int node : new int[] {2, 4}) {
                pair.node(node).handle(Text.TYPE, Execution.INLINE, (source, m) -> got.countDown());
            }

            assertThatThrownBy(() -> pair.node(1).send(new int[] {2, 3, 4}, new Text(1, "")))
                    .isInstanceOf(NodeUnknownException.class);
            assertThat(got.await(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsHandlersThatThrowAndGoesOn(Pair.Kind kind) throws Exception {
        CountDownLatch got = new CountDownLatch(10);

        try (Pair pair = new Pair(kind)) {
            pair.node(2).serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(1, ""));
            pair.node(2)
                    .handle(
                            Text.TYPE,
                            Execution.INLINE,
                            (source, m) -> {
                                got.countDown();
                                throw new IllegalStateException("on purpose");
                            });
            for (int i = 0; i < 10; i++) {
                pair.node(1).send(2, new Text(i, ""));
            }

            assertThat(got.await(5, TimeUnit.SECONDS)).isTrue();
            pair.node(1).call(2, new Ask(1), SECONDS_5); // it comes after them
            assertThat(pair.node(2).statistics().handlerFailures()).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dropsAndCountsWhatNobodyHandles(Pair.Kind kind) throws Exception {
        try (Pair pair = new Pair(kind)) {
            Network node = pair.node(2);
            node.serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(1, ""));
            pair.node(1).send(2, new Text(1, "nobody"));
            RawSender raw = pair.node(1).raw(2);
            NativeMemory.putLong(raw.claim(99, 8), 1);
            raw.commit();
            pair.node(1).call(2, new Ask(1), SECONDS_5);

            assertThat(node.statistics().unhandled()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void commitsLessThanWasClaimedAndNothingOfWhatWasAborted(Pair.Kind kind) throws Exception {
        int[] lengths = new int[3];
        AtomicInteger count = new AtomicInteger();

        try (Pair pair = new Pair(kind)) {
            Network node = pair.node(2);
            node.handleRaw(1, (source, address, bytes) -> lengths[count.getAndIncrement()] = bytes);
            node.serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(1, ""));
            RawSender raw = pair.node(1).raw(2);
            for (int used : new int[] {1, 999, 64_000}) {
                NativeMemory.fill(raw.claim(1, 64_000), 64_000, (byte) 3);
                raw.commit(used);
                NativeMemory.fill(raw.claim(1, 5_000), 5_000, (byte) 4);
                raw.abort();
            }
            pair.node(1).call(2, new Ask(1), SECONDS_5);

            assertThat(count).hasValue(3);
            assertThat(lengths).containsExactly(1, 999, 64_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void takesEachRawBlockOnceAndInOrderAlikeOrNot(Pair.Kind kind) throws Exception {
        int blocks = 30_000;
        List<Long> got = new ArrayList<>();
        List<Long> sent = new ArrayList<>();

        try (Pair pair = new Pair(kind)) {
            Network node = pair.node(2);
            node.handleRaw(1, (source, address, bytes) -> got.add(value(1, bytes, address)));
            node.handleRaw(
                    2,
                    (source, address, bytes) -> {
                        got.add(value(2, bytes, address));
                        throw new IllegalStateException("on purpose");
                    });
            node.serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(1, ""));
            RawSender raw = pair.node(1).raw(2);
            int failing = 0;
            int unknown = 0;
            for (int i = 0; i < blocks; i++) {
                int type = i % 10_000 == 9_999 ? 2 : i % 500 == 7 ? 3 : 1;
                int bytes = i / 300 % 2 == 0 ? 16 : 9 + i % 2;
                long address = raw.claim(type, bytes);
                NativeMemory.putLong(address, i);
                failing += type == 2 ? 1 : 0;
                unknown += type == 3 ? 1 : 0;
                if (type < 3) {
                    sent.add(value(type, bytes, address));
                }
                raw.commit();
            }
            pair.node(1).call(2, new Ask(1), SECONDS_5);

            assertThat(got).isEqualTo(sent);
            assertThat(node.statistics().handlerFailures()).isEqualTo(failing);
            assertThat(node.statistics().unhandled()).isEqualTo(unknown);
        }
    }

    private static long value(int type, int bytes, long address) {
        return (long) type << 48 | (long) bytes << 32 | NativeMemory.getLong(address);
    }

    @ParameterizedTest
    @EnumSource
    void refusesWrongUseOfRawSenders(Pair.Kind kind) {
        try (Pair pair = new Pair(kind)) {
            pair.node(2);
            RawSender raw = pair.node(1).raw(2);

            assertThatThrownBy(() -> raw.claim(1, raw.maxBytes() + 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> raw.claim(0, 8)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(raw::commit).isInstanceOf(IllegalStateException.class);
            raw.claim(1, raw.maxBytes());
            assertThatThrownBy(() -> raw.claim(1, 8))
                    .hasMessageContaining("neither committed nor aborted");
            raw.abort();
        }
    }

    @ParameterizedTest
    @EnumSource
    void letsAnswersPassWhileOrdinaryMessagesFillTheWindow(Pair.Kind kind) throws Exception {
        TestLimits config = TestLimits.defaults().withRingBytes(16 << 10).withWindowBytes(16 << 10);
        CountDownLatch gate = new CountDownLatch(1);

        try (Pair pair = new Pair(kind, config)) {
            Network one = pair.node(1);
            Network two = pair.node(2);
            one.handle(
                    Text.TYPE,
                    Execution.ORDERED,
                    (source, m) -> {
                        try {
                            gate.await(20, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            two.serve(Ask.TYPE, Execution.INLINE, (source, q) -> new Text(q.number(), ""));
            Thread flood =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < 100; i++) {
                                    two.send(1, new Text(i, "f".repeat(1_000)));
                                }
                            });
            flood.join(300);

            assertThat(flood.isAlive()).isTrue();
            assertThat(one.call(2, new Ask(6), SECONDS_5).number()).isEqualTo(6);
            gate.countDown();
            flood.join(10_000);
            assertThat(flood.isAlive()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void givesUpAPeerThatTakesNothingForTheSendTimeout(Pair.Kind kind) throws Exception {
        TestLimits config =
                TestLimits.defaults()
                        .withRingBytes(16 << 10)
                        .withWindowBytes(16 << 10)
                        .withSendTimeout(Duration.ofMillis(300));
        CountDownLatch gate = new CountDownLatch(1);

        try (Pair pair = new Pair(kind, config)) {
            pair.node(2)
                    .handle(
                            Text.TYPE,
                            Execution.ORDERED,
                            (source, m) -> {
                                try {
                                    gate.await(20, TimeUnit.SECONDS);
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            });

            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 100; i++) {
                                    pair.node(1).send(2, new Text(i, "f".repeat(1_000)));
                                }
                            })
                    .isInstanceOf(NodeLostException.class)
                    .hasMessageContaining("took no byte for 300 ms");
            gate.countDown();
        }
    }

    private static long cpuNanosOfNetThreads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(info -> info != null && info.getThreadName().startsWith("net-"))
                .mapToLong(info -> threads.getThreadCpuTime(info.getThreadId()))
                .sum();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
