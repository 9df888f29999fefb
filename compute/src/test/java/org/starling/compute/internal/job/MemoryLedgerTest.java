package org.starling.compute.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.GroupName;
import org.starling.compute.internal.group.Admission;
import org.starling.compute.internal.group.Admission.Need;
import org.starling.compute.internal.group.Promises;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;

/** Jobs that want more memory of one node than there is. */
@Timeout(60)
final class MemoryLedgerTest {
    private static final GroupName NIGHT = new GroupName("night");

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final MemoryLedger ledger = new MemoryLedger();

    /** What is free on the node. */
    private final AtomicLong free = new AtomicLong(100);

    private record Bytes(long wanted, long free) implements Need {
        @Override
        public boolean isGraph() {
            return false;
        }

        @Override
        public Map<Integer, Long> bytes(Promises others, double share) {
            return Map.of(4, wanted);
        }

        @Override
        public Optional<String> shortage(Promises others) {
            long left = free - others.runs().getOrDefault(4, 0L);
            return wanted <= left
                    ? Optional.empty()
                    : Optional.of("%d bytes are wanted, %d are there".formatted(wanted, left));
        }
    }

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void admitsWhatFitsBesideWhatOthersWerePromised() throws Exception {
        Admission first = ledger.begin(1, NIGHT);
        Admission second = ledger.begin(2, NIGHT);
        want(first, 60).get();

        CompletableFuture<Bytes> waiting = want(second, 60);
        awaitWaiting(2);
        assertThat(ledger.waitOf(2).orElseThrow().why())
                .isEqualTo("60 bytes are wanted, 40 are there");
        assertThat(ledger.waitOf(1)).isEmpty();
        assertThat(waiting).isNotDone();
        free.addAndGet(-30); // half of it is taken
        first.release();

        assertThat(waiting.get()).isEqualTo(new Bytes(60, 70));
        assertThat(ledger.waitOf(2)).isEmpty();
    }

    @Test
    void letsAJobFindOutByItselfWhatDoesNotFitAlone() throws Exception {
        Admission first = ledger.begin(1, NIGHT);
        Admission second = ledger.begin(2, NIGHT);
        Admission other = ledger.begin(3, GroupName.DEFAULT);

        assertThat(want(other, 1_000).get().wanted()).isEqualTo(1_000);
        other.release();
        CompletableFuture<Bytes> waiting = want(second, 1_000);
        awaitWaiting(2);
        ledger.end(1);

        assertThat(waiting.get().wanted()).isEqualTo(1_000);
        first.release(); // nobody minds
    }

    @Test
    void letsTheYoungestGiveWayWhenAllWaitForOneAnother() {
        free.set(10);
        Admission oldest = ledger.begin(1, NIGHT);
        Admission middle = ledger.begin(2, NIGHT);
        Admission youngest = ledger.begin(3, NIGHT);
        CompletableFuture<Bytes> young = want(youngest, 20);
        awaitWaiting(3);
        CompletableFuture<Bytes> old = want(oldest, 30);
        awaitWaiting(1);
        assertThat(young).isNotDone();
        assertThat(old).isNotDone();

        CompletableFuture<Bytes> between = want(middle, 40);

        assertGivesWay(young);
        ledger.end(3);
        assertGivesWay(between);
        free.set(15);
        ledger.end(2);
        assertThat(old.join()).isEqualTo(new Bytes(30, 15)); // alone: it fits or it is refused
    }

    @Test
    void letsOthersLookBeforeAnybodyGivesWay() {
        free.set(10);
        Admission oldest = ledger.begin(1, NIGHT);
        Admission young = ledger.begin(2, NIGHT);
        CompletableFuture<Bytes> old = want(oldest, 50);
        awaitWaiting(1);
        free.set(55); // the younger one has dropped a graph, and wants another one

        CompletableFuture<Bytes> next = want(young, 60);

        assertThat(old.join().wanted()).isEqualTo(50);
        assertThat(next).isNotDone();
        ledger.end(1);
        assertThat(next.join().wanted()).isEqualTo(60);
    }

    @Test
    void tellsOfTheOldestJobOfAGroupThatHasWaitedForLongWhileOthersCameAndTookWhatBecameFree()
            throws Exception {
        Admission first = ledger.begin(1, NIGHT);
        Admission hungry = ledger.begin(2, NIGHT);
        want(first, 60).get();
        CompletableFuture<Bytes> waiting = want(hungry, 90);
        awaitWaiting(2);
        for (long job = 3; job < 10; job++) {
            Admission next = ledger.begin(job, NIGHT);
            want(next, 30).get(); // smaller ones always fit
            ledger.end(job == 3 ? 1 : job - 1);
        }

        assertThat(waiting).isNotDone();
        assertThat(ledger.waitsFor(Duration.ZERO, NIGHT)).contains(2L);
        assertThat(ledger.waitsFor(Duration.ofHours(1), NIGHT)).isEmpty();
        assertThat(ledger.waitsFor(Duration.ZERO, GroupName.DEFAULT)).isEmpty();
        ledger.end(9);
        assertThat(waiting.get().wanted()).isEqualTo(90);
        assertThat(ledger.waitsFor(Duration.ZERO, NIGHT)).isEmpty();
    }

    @Test
    void endsTheWaitOfAJobThatIsCancelled() {
        ledger.begin(1, NIGHT);
        Admission second = ledger.begin(2, NIGHT);
        AtomicBoolean cancelled = new AtomicBoolean();
        CompletableFuture<Bytes> waiting =
                CompletableFuture.supplyAsync(
                        () ->
                                second.await(
                                                () -> new Bytes(200, free.get()),
                                                () -> {
                                                    if (cancelled.get()) {
                                                        throw new JobCancelledException("stop");
                                                    }
                                                })
                                        .need(),
                        threads);
        awaitWaiting(2);

        cancelled.set(true);

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(JobCancelledException.class);
        assertThat(ledger.waitOf(2)).isEmpty();
    }

    private static void assertGivesWay(CompletableFuture<Bytes> waiting) {
        assertThatThrownBy(() -> waiting.orTimeout(10, TimeUnit.SECONDS).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("this one is the youngest");
    }

    private CompletableFuture<Bytes> want(Admission admission, long bytes) {
        return CompletableFuture.supplyAsync(
                () -> admission.await(() -> new Bytes(bytes, free.get()), () -> {}).need(),
                threads);
    }

    private void awaitWaiting(long job) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);
        while (ledger.waitOf(job).isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
