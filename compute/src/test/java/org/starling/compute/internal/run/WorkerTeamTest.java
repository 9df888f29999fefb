package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers of a team, arrivals they wait for, and the gate. */
@Timeout(60)
final class WorkerTeamTest {
    private static final int SIZE = 4;

    @Test
    void letsEveryWorkerDoEveryJobOnce() {
        try (WorkerTeam team = new WorkerTeam("team", SIZE)) {
            for (int job = 0; job < 2_000; job++) {
                AtomicIntegerArray done = new AtomicIntegerArray(SIZE);
                team.run(done::incrementAndGet);
                for (int worker = 0; worker < SIZE; worker++) {
                    assertThat(done.get(worker)).as("job %d worker %d", job, worker).isEqualTo(1);
                }
            }
            assertThat(team.size()).isEqualTo(SIZE);
        }
    }

    @Test
    void holdsAllWorkersAtABarrier() {
        try (WorkerTeam team = new WorkerTeam("team", SIZE)) {
            AtomicInteger arrived = new AtomicInteger();
            AtomicInteger early = new AtomicInteger();
            for (int round = 1; round <= 500; round++) {
                int wanted = round * SIZE;
                team.run(_ -> {
                    arrived.incrementAndGet();
                    team.barrier();
                    if (arrived.get() < wanted) {
                        early.incrementAndGet();
                    }
                });
            }

            assertThat(early).hasValue(0);
        }
    }

    @Test
    void neverLosesTheFailureOfAWorker() {
        try (WorkerTeam team = new WorkerTeam("team", SIZE)) {
            for (int job = 0; job < 5_000; job++) {
                int culprit = job % SIZE;
                assertThatThrownBy(() ->
                                team.run(worker -> {
                                    if (worker == culprit) {
                                        throw new IllegalStateException("it was me");
                                    }
                                }))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("it was me");
            }
            team.run(_ -> {});
        }
    }

    @Test
    void doesOneJobAfterTheOtherForManyWhoComeAtOnce() throws InterruptedException {
        try (WorkerTeam team = new WorkerTeam("team", 2)) {
            AtomicInteger under = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            AtomicInteger done = new AtomicInteger();
            List<Thread> callers = new ArrayList<>();
            for (int caller = 0; caller < 8; caller++) {
                callers.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    for (int job = 0; job < 100; job++) {
                                        team.run(worker -> {
                                            int together =
                                                    worker == 0
                                                            ? under.incrementAndGet()
                                                            : under.get();
                                            most.accumulateAndGet(together, Math::max);
                                            team.barrier();
                                            if (worker == 0) {
                                                under.decrementAndGet();
                                                done.incrementAndGet();
                                            }
                                        });
                                    }
                                }));
            }
            for (Thread caller : callers) {
                caller.join();
            }

            assertThat(done).hasValue(800);
            assertThat(most).hasValue(1);
        }
    }

    @Test
    void endsItsThreads() {
        WorkerTeam team = new WorkerTeam("team", 2);
        CountDownLatch finish = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(2);
        CompletableFuture<Void> job =
                team.start(_ -> {
                    begun.countDown();
                    await(finish);
                });
        await(begun);
        team.close();

        assertThat(team.awaitEnd(Duration.ofMillis(50))).isFalse();
        finish.countDown();
        assertThat(team.awaitEnd(Duration.ofSeconds(10))).isTrue();
        assertThat(job).isCompleted();
    }

    @Test
    void wakesWhoWaitsForArrivals() {
        Arrivals arrivals = new Arrivals();
        StopSign stop = new StopSign();
        try (WorkerTeam team = new WorkerTeam("team", 1)) {
            for (int round = 1; round <= 300; round++) {
                int present = round;
                CompletableFuture<Void> waiting =
                        team.start(_ -> arrivals.take(present, 3, stop, ReceivingRun.CONNECTED));
                arrivals.add(round, 1);
                arrivals.add(round + 1, 0);
                arrivals.add(round, 1);
                assertThat(waiting).isNotCompletedExceptionally();
                arrivals.add(round, 1);
                waiting.join();
            }
        }
    }

    @Test
    void stopsWaitingForArrivalsWhenTold() {
        Arrivals arrivals = new Arrivals();
        StopSign stop = new StopSign();
        try (WorkerTeam team = new WorkerTeam("team", 1)) {
            CompletableFuture<Void> waiting =
                    team.start(_ -> arrivals.await(0, 1, stop, ReceivingRun.CONNECTED));
            assertThat(waiting).isNotDone();
            stop.raise();

            assertThatThrownBy(waiting::join)
                    .hasCauseInstanceOf(org.starling.graph.JobCancelledException.class);
            assertThat(stop.isRaised()).isTrue();
        }
    }

    @Test
    void shutsTheGateBehindTheLastOneInside() {
        for (int round = 0; round < 500; round++) {
            Gate gate = new Gate();
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger caught = new AtomicInteger();
            try (WorkerTeam team = new WorkerTeam("team", 3)) {
                team.run(worker -> {
                    if (worker == 0) {
                        gate.shut(Duration.ofSeconds(10));
                        caught.set(inside.get());
                    } else if (gate.enter()) {
                        inside.incrementAndGet();
                        Thread.onSpinWait();
                        inside.decrementAndGet();
                        gate.leave();
                    }
                });
            }
            assertThat(caught).hasValue(0);
            assertThat(gate.enter()).isFalse();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
