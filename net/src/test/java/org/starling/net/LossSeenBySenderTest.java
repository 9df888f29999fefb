package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.internal.Limits;

/** A thread that sends finds the end of a connection, as the receiving thread is busy. */
@Timeout(30)
class LossSeenBySenderTest {
    private static final int SENDER = 1;
    private static final int LEAVING = 2;
    private static final int STAYING = 3;
    private static final int WINDOW_BYTES = 2 * Limits.MIN_BUFFER_BYTES;

    @Test
    void letsWhoHearsOfTheLossConnectElsewhere() throws Exception {
        try (Pair pair =
                new Pair(Pair.Kind.ETHERNET, TestLimits.defaults().withWindowBytes(WINDOW_BYTES))) {
            CompletableFuture<Responder<Text>> unanswered = pair.serveLate(LEAVING);
            CompletableFuture<Responder<Text>> _ = pair.serveLate(STAYING);
            CountDownLatch isFull = new CountDownLatch(1);
            pair.node(LEAVING)
                    .handle(
                            Text.TYPE,
                            Execution.WORKER,
                            (source, text) -> {
                                isFull.countDown();
                                holdUntilClosed();
                            });
            Network sender = pair.node(SENDER);
            CountDownLatch isBusy = new CountDownLatch(1);
            CompletableFuture<Void> goOn = new CompletableFuture<>();
            sender.handle(
                    Text.TYPE,
                    Execution.INLINE,
                    (source, text) -> {
                        isBusy.countDown();
                        goOn.join();
                    });
            CompletableFuture<Text> elsewhere =
                    sender.request(LEAVING, new Ask(1))
                            .exceptionallyCompose(loss -> {
                                goOn.complete(null);
                                return sender.request(STAYING, new Ask(7));
                            });
            unanswered.get(10, TimeUnit.SECONDS);
            sender.send(LEAVING, new Text(0, "x".repeat(WINDOW_BYTES * 3 / 4)));
            assertThat(isFull.await(10, TimeUnit.SECONDS)).isTrue();
            sender.send(SENDER, new Text(0, "hold"));
            assertThat(isBusy.await(10, TimeUnit.SECONDS)).isTrue();

            pair.closeNode(LEAVING);
            sender.send(LEAVING, new Text(0, "nobody takes it"));

            assertThat(elsewhere.get(10, TimeUnit.SECONDS).number()).isEqualTo(7);
        }
    }

    private static void holdUntilClosed() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
