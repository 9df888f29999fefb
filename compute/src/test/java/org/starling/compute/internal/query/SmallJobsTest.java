package org.starling.compute.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Small jobs of one peer. */
@Timeout(60)
final class SmallJobsTest {
    @Test
    void doesOtherShortJobsWhileOneTakesLong() throws Exception {
        try (SmallJobs jobs = new SmallJobs(1, 2)) {
            CountDownLatch release = new CountDownLatch(1);
            CompletableFuture<Boolean> slow = jobs.start(() -> release.await(50, TimeUnit.SECONDS));
            AtomicInteger done = new AtomicInteger();
            List<CompletableFuture<Integer>> quick = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                quick.add(jobs.start(done::incrementAndGet));
            }

            quick.forEach(CompletableFuture::join);

            assertThat(slow).isNotDone();
            release.countDown();
            assertThat(slow.get()).isTrue();
            assertThat(done).hasValue(1_000);
        }
    }

    @Test
    void tellsWhatAJobThrows() {
        try (SmallJobs jobs = new SmallJobs(1, 1)) {
            assertThatThrownBy(
                            jobs.start(() -> {
                                throw new IllegalStateException("short");
                            })
                                    ::join)
                    .hasMessageContaining("short");
            assertThatThrownBy(
                            jobs.startWaiting(() -> {
                                throw new StackOverflowError("waits");
                            })
                                    ::join)
                    .hasMessageContaining("waits");
        }
    }

    @Test
    void endsWhatItHasTakenWhenItIsClosed() throws Exception {
        List<CompletableFuture<Integer>> taken = new ArrayList<>();
        CountDownLatch release = new CountDownLatch(1);
        SmallJobs jobs = new SmallJobs(1, 1);
        var _ = jobs.start(() -> release.await(20, TimeUnit.SECONDS));
        for (int i = 0; i < 100; i++) {
            taken.add(jobs.start(() -> 7));
        }

        Thread closer = Thread.ofPlatform().start(jobs::close);
        while (!jobs.isClosing()) {
            Thread.onSpinWait();
        }
        release.countDown();
        closer.join();

        assertThat(taken).allMatch(CompletableFuture::isDone);
        assertThatThrownBy(jobs.start(() -> 8)::join).hasMessageContaining("has closed");
    }

    @Test
    void refusesWhatIsMoreThanItsBounds() {
        CountDownLatch release = new CountDownLatch(1);
        try (SmallJobs jobs = new SmallJobs(1, 1)) {
            List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < SmallJobs.MAX_WAITING; i++) {
                waiting.add(jobs.startWaiting(() -> release.await(50, TimeUnit.SECONDS)));
            }

            assertThatThrownBy(jobs.startWaiting(() -> true)::join)
                    .hasCauseInstanceOf(SmallJobs.FullException.class)
                    .hasMessageContaining(SmallJobs.MAX_WAITING + " small jobs wait here already");
            assertThat(jobs.start(() -> 7).join()).as("short ones are counted apart").isEqualTo(7);

            release.countDown();
            waiting.forEach(CompletableFuture::join);
            assertThat(jobs.startWaiting(() -> 8).join()).isEqualTo(8);
        }
    }
}
