package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that makes way for another one, in what state ever it is. */
@Timeout(20)
final class NodeProcessTest {
    /** Of the want of memory for which it makes way the thread of all time-outs may have died. */
    @Test
    void waitsNoLongerThanItWantsWhenNoTimeOutEnds() throws InterruptedException {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(() -> hold(isHeld, end));
        isHeld.await();
        try {
            assertThat(NodeProcess.pause(new CompletableFuture<>(), Duration.ofMillis(20)))
                    .isTrue();
        } finally {
            end.countDown();
        }
    }

    private static void hold(CountDownLatch isHeld, CountDownLatch end) {
        isHeld.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
