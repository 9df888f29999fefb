package org.starling.compute.jars;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.graph.JobCancelledException;

/** Who calls code of users, and what becomes of it. */
@Timeout(60)
final class UserThreadTest {
    private final CountDownLatch inside = new CountDownLatch(1);
    private volatile boolean released;

    @Test
    void letsNobodyThinkThatItHasComeBackWhileItHasNot() throws InterruptedException {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().start(() -> thrown.complete(call()));
        assertThat(inside.await(50, TimeUnit.SECONDS)).isTrue();

        caller.interrupt();
        caller.interrupt();

        assertThat(caller.join(Duration.ofMillis(300))).isFalse();
        released = true;
        assertThat(thrown.join()).isInstanceOf(JobCancelledException.class);
    }

    private Throwable call() {
        try {
            return new AssertionError(
                    ""
                            + new UserThread<>(
                                            "user",
                                            Objects.requireNonNull(getClass().getClassLoader()),
                                            this::spin)
                                    .call());
        } catch (JobCancelledException stopped) {
            return stopped;
        }
    }

    /** Takes no notice of anybody who wants it to end. */
    private boolean spin() {
        inside.countDown();
        while (!released) {
            Thread.onSpinWait();
        }
        return true;
    }
}
