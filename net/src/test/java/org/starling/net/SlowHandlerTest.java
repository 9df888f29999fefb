package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A slow handler slows its senders and nobody else, with as few workers as there can be. */
@Timeout(40)
class SlowHandlerTest {

    /**
     * Node 1 sends to a handler that does not return until all others are done, more than its
     * window holds; the quick ones each have more than a window too. The handler waits in a way
     * that the workers can't see. (An INLINE handler must never wait; what it takes, all pay.)
     */
    @ParameterizedTest
    @CsvSource({
        "LOOPBACK, ORDERED, 1", "LOOPBACK, WORKER, 1", "LOOPBACK, WORKER, 4",
        "ETHERNET, ORDERED, 1", "ETHERNET, WORKER, 1", "ETHERNET, WORKER, 4",
        "INFINIBAND_POSIX, ORDERED, 1", "INFINIBAND_TCP, WORKER, 1"
    })
    void slowsItsOwnSendersAndNobodyElse(Pair.Kind kind, Execution execution, int workers)
            throws Exception {
        int quick = 6;
        int each = 300;
        TestLimits config =
                TestLimits.defaults()
                        .withRingBytes(16 << 10)
                        .withWindowBytes(16 << 10)
                        .withWorkers(workers, 64);
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch quickOnes = new CountDownLatch(quick * each);
        CountDownLatch slowOnes = new CountDownLatch(each);
        AtomicInteger sent = new AtomicInteger();

        try (Pair pair = new Pair(kind, config)) {
            Network hub = pair.node(0);
            hub.handle(
                    Text.TYPE,
                    execution,
                    (source, m) -> {
                        if (source == 1) {
                            awaitGate(gate);
                            slowOnes.countDown();
                        } else {
                            quickOnes.countDown();
                        }
                    });
            Thread slow = Thread.ofPlatform().start(() -> sendAll(pair.node(1), each, sent));
            Await.that(() ->
                    pair.node(1).statistics().connections().stream()
                            .anyMatch(connection -> connection.stalls() > 0));
            for (int node = 2; node < 2 + quick; node++) {
                Network network = pair.node(node);
                Thread.ofPlatform().start(() -> sendAll(network, each, new AtomicInteger()));
            }

            assertThat(quickOnes.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(slow.isAlive()).as("its sender waits").isTrue();
            assertThat(sent.get()).isLessThan(each / 2);
            gate.countDown();
            assertThat(slowOnes.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void sendAll(Network network, int each, AtomicInteger sent) {
        String load = "s".repeat(1_000);
        for (int i = 0; i < each; i++) {
            network.send(0, new Text(i, load));
            sent.incrementAndGet();
        }
    }

    private static void awaitGate(CountDownLatch gate) {
        try {
            gate.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
