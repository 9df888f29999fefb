package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One message to many nodes, and many nodes that send to one. */
@Timeout(50)
class MulticastTest {

    /** A message that counts how often it was written; the receivers make a {@link Text} of it. */
    private record Counted(int number, String text, AtomicInteger writes) implements Message {
        @Override
        public MessageType<Text> type() {
            return Text.TYPE;
        }

        @Override
        public void write(Exporter out) {
            writes.incrementAndGet();
            out.writeInt(number);
            out.writeString(text);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_POSIX"})
    void writesAMessageOnceHoweverManyNodesGetIt(Pair.Kind kind) throws Exception {
        int nodes = 6;
        TestLimits config = TestLimits.defaults().withRingBytes(16 << 10).withWindowBytes(64 << 10);

        for (int length : new int[] {0, 10, 3_000, 500_000}) { // the last is larger than a ring
            String text = "é" + "x".repeat(length);
            AtomicInteger writes = new AtomicInteger();
            AtomicInteger good = new AtomicInteger();
            CountDownLatch all = new CountDownLatch(nodes);
            int[] targets = IntStream.range(0, nodes).toArray();
            try (Pair pair = new Pair(kind, config)) {
                for (int node : targets) {
                    pair.node(node)
                            .handle(
                                    Text.TYPE,
                                    Execution.WORKER,
                                    (source, m) -> {
                                        if (m.equals(new Text(7, text))) {
                                            good.incrementAndGet();
                                        }
                                        all.countDown();
                                    });
                }
                pair.node(0).send(targets, new Counted(7, text, writes));

                assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
                assertThat(good).hasValue(nodes);
                assertThat(writes).as("counted once, written once").hasValue(2);
            }
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ETHERNET", "INFINIBAND_POSIX"})
    void writesAMessageOnceHoweverManyNodesGetItOverTheOthers(Pair.Kind kind) throws Exception {
        writesAMessageOnceHoweverManyNodesGetIt(kind);
    }

    @ParameterizedTest
    @EnumSource
    void sendsToNobodyWhatIsTooLarge(Pair.Kind kind) {
        try (Pair pair = new Pair(kind, TestLimits.defaults().withMaxMessageBytes(1_000))) {
            Network one = pair.node(1);
            pair.node(2);

            assertThatThrownBy(() -> one.send(new int[] {2, 3}, new Text(1, "x".repeat(1_000))))
                    .isInstanceOf(MessageTooLargeException.class);
            assertThat(one.statistics().connections()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "INFINIBAND_POSIX"})
    void needsNoThreadPerConnectionForSomeSenders(Pair.Kind kind) throws Exception {
        sendToOneNode(kind, 20);
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ETHERNET", "INFINIBAND_POSIX"})
    void needsNoThreadPerConnectionForSomeSendersOverTheOthers(Pair.Kind kind) throws Exception {
        needsNoThreadPerConnectionForSomeSenders(kind);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void needsNoThreadPerConnectionForManySenders(Pair.Kind kind) throws Exception {
        sendToOneNode(kind, 64);
    }

    private static void sendToOneNode(Pair.Kind kind, int senders) throws Exception {
        int each = 20;
        CountDownLatch all = new CountDownLatch(senders * each);
        TestLimits config =
                TestLimits.defaults()
                        .withRingBytes(4 << 10)
                        .withIncomingBufferBytes(8 << 10)
                        .withWorkers(1, 4);

        try (Pair pair = new Pair(kind, config)) {
            Network hub = pair.node(9_999);
            hub.handle(Text.TYPE, Execution.ORDERED, (source, m) -> all.countDown());
            sendAll(pair, 1, each);
            int before = threadsOf(9_999);
            for (int sender = 2; sender <= senders; sender++) {
                sendAll(pair, sender, each);
            }

            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(hub.statistics().connections()).hasSize(senders);
            assertThat(threadsOf(9_999)).isLessThanOrEqualTo(Math.max(before, 2 + 4));
        }
    }

    private static void sendAll(Pair pair, int sender, int each) {
        for (int i = 0; i < each; i++) {
            pair.node(sender).send(9_999, new Text(i, ""));
        }
    }

    /** Threads with the node's id in their name: receiving, timer, workers. */
    private static int threadsOf(int node) {
        Thread[] threads = new Thread[2 * Thread.activeCount() + 64];
        int count = Thread.enumerate(threads);
        return (int)
                Arrays.stream(threads, 0, count)
                        .filter(thread -> thread.getName().matches("net-.*-" + node + "(-.*)?"))
                        .count();
    }
}
