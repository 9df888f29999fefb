package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases under a clock that the test moves. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class LeaseTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final Lease lease = new Lease(Duration.ofSeconds(20), now::get);

    @Test
    void holdsUntilItsEndAlsoWhenTheClockWrapsAround() {
        assertThat(lease.isValid()).isFalse();

        lease.grant(now.get() + 10);

        assertThat(lease.check()).isCompleted();
        now.addAndGet(9);
        assertThat(lease.isValid()).isTrue();
        now.addAndGet(1);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void isNotShortenedByALateAnswer() {
        lease.grant(now.get() + 10);
        lease.grant(now.get() + 3);
        now.addAndGet(5);

        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void letsWaitersGoOnWhenItIsGrantedAgain() {
        CompletableFuture<Void> check = lease.check();
        assertThat(check).isNotDone();

        lease.grant(now.get() + 10);

        assertThat(check).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    void failsWaitersWhenItIsRevokedAndIsNeverGrantedAgain() {
        CompletableFuture<Void> check = lease.check();

        lease.revoke();
        lease.grant(now.get() + 10);

        assertThat(check).failsWithin(Duration.ofSeconds(5));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.check()).isCompletedExceptionally();
    }

    @Test
    void failsWaitersWhenTheirPatienceIsOver() {
        Lease hasty = new Lease(Duration.ofMillis(20), now::get);

        assertThat(hasty.check()).failsWithin(Duration.ofSeconds(5));
    }

    /**
     * Whoever goes on sends an answer, which may wait for a connection; and all time-outs of this
     * process are on one thread.
     */
    @Test
    void failsWaitersOnAThreadThatNoTimeOutWaitsFor() {
        CountDownLatch isWaitedFor = new CountDownLatch(1);
        Lease hasty = new Lease(Duration.ofMillis(20), now::get);
        CompletableFuture<Boolean> first = hasty.check().handle((_, _) -> waitFor(isWaitedFor));

        CompletableFuture<Void> other =
                new CompletableFuture<Void>().orTimeout(100, TimeUnit.MILLISECONDS);

        assertThat(other).failsWithin(Duration.ofSeconds(5));
        isWaitedFor.countDown();
        assertThat(first).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
    }

    private static boolean waitFor(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
