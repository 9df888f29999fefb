package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.TestLimits;

/** Who runs handlers: the pool, and the lanes that keep order on it. */
@Timeout(20)
class WorkersTest {

    private static final int WORKERS = 2;
    private static final int MAX_WORKERS = 6;

    private final Workers workers =
            new Workers(3, TestLimits.defaults().withWorkers(WORKERS, MAX_WORKERS).limits());

    @AfterEach
    void close() {
        workers.close();
    }

    @Test
    void runsTasksOnNamedDaemonsThatItKnows() throws Exception {
        CompletableFuture<Thread> runner = new CompletableFuture<>();
        CompletableFuture<Boolean> isWorker = new CompletableFuture<>();
        workers.execute(() -> {
            runner.complete(Thread.currentThread());
            isWorker.complete(Workers.isWorkerThread());
        });

        assertThat(runner.get(5, TimeUnit.SECONDS).getName()).startsWith("net-worker-3-");
        assertThat(runner.get().isDaemon()).isTrue();
        assertThat(isWorker.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(Workers.isWorkerThread()).isFalse();
    }

    /**
     * Of memory that is short, for example: other messages of that peer are not to wait for ever.
     */
    @Test
    void goesOnWithALaneBehindATaskThatFails() throws Exception {
        OrderedLane lane = new OrderedLane(workers);
        CountDownLatch done = new CountDownLatch(2);
        lane.add(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        lane.add(done::countDown);
        lane.add(done::countDown);

        assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void makesUpForWorkersThatWait() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CountDownLatch waiting = new CountDownLatch(WORKERS);
        CountDownLatch done = new CountDownLatch(WORKERS);
        for (int i = 0; i < WORKERS; i++) {
            workers.execute(() -> {
                workers.await();
                waiting.countDown();
                answer.join();
                workers.resume();
                done.countDown();
            });
        }
        assertThat(waiting.await(5, TimeUnit.SECONDS)).isTrue();

        workers.execute(() -> answer.complete("from one more worker"));

        assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
    }

    /** They wait in a way of which the pool is told nothing, and one task at a time is let in. */
    @Test
    void makesUpForWorkersThatAreSlowInAnyWay() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(MAX_WORKERS - 1);
        for (int i = 0; i < MAX_WORKERS - 1; i++) {
            workers.execute(() -> {
                waiting.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        workers.execute(gate::countDown);

        assertThat(waiting.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(gate.await(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void growsNoFurtherThanItsBound() throws Exception {
        CompletableFuture<String> gate = new CompletableFuture<>();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        int tasks = 4 * MAX_WORKERS;
        CountDownLatch full = new CountDownLatch(MAX_WORKERS);
        CountDownLatch done = new CountDownLatch(tasks);
        for (int i = 0; i < tasks; i++) {
            workers.execute(() -> {
                threads.add(Thread.currentThread());
                full.countDown();
                gate.join();
                done.countDown();
            });
        }
        full.await(2, TimeUnit.SECONDS);

        assertThat(threads).hasSizeBetween(WORKERS, MAX_WORKERS);
        gate.complete("open");
        assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(threads).hasSizeLessThanOrEqualTo(MAX_WORKERS);
    }

    @Test
    void countsFailuresAndStartsAtNone() {
        assertThat(workers.failures()).isZero();

        workers.failed("a test", new IllegalStateException("on purpose"));
        workers.failed("a test", new AssertionError("on purpose"));

        assertThat(workers.failures()).isEqualTo(2);
    }

    @Test
    void dropsTasksOnceItIsClosed() {
        AtomicInteger runs = new AtomicInteger();
        workers.close();

        workers.execute(runs::incrementAndGet);
        workers.close();

        assertThat(runs).hasValue(0);
    }

    @Test
    void closesFromOneOfItsOwnThreadsWithoutWaitingForItself() throws Exception {
        CompletableFuture<Boolean> isClosed = new CompletableFuture<>();

        workers.execute(() -> {
            workers.close();
            isClosed.complete(true);
        });

        assertThat(isClosed.get(2, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void interruptsHandlersThatStillWaitWhenItCloses() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<String> end = new CompletableFuture<>();
        workers.execute(() -> {
            started.countDown();
            try {
                end.complete(new CountDownLatch(1).await(15, TimeUnit.SECONDS) ? "?" : "time-out");
            } catch (InterruptedException e) {
                end.complete("interrupted");
            }
        });
        assertThat(started.await(5, TimeUnit.SECONDS)).isTrue();

        workers.close();

        assertThat(end.get(5, TimeUnit.SECONDS)).isEqualTo("interrupted");
    }

    @Test
    void keepsTheOrderOfALaneWhileManyLanesShareTheWorkers() throws Exception {
        int lanes = 5;
        int each = 2_000;
        CountDownLatch done = new CountDownLatch(lanes * each);
        List<List<Integer>> seen = new ArrayList<>();
        List<OrderedLane> all = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            seen.add(Collections.synchronizedList(new ArrayList<>()));
            all.add(new OrderedLane(workers));
        }

        for (int i = 0; i < each; i++) {
            for (int lane = 0; lane < lanes; lane++) {
                int number = i;
                List<Integer> numbers = seen.get(lane);
                all.get(lane)
                        .add(() -> {
                            numbers.add(number);
                            done.countDown();
                        });
            }
        }

        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(seen).allSatisfy(numbers -> assertThat(numbers).hasSize(each).isSorted());
    }

    @Test
    void runsOneTaskOfALaneAtATime() throws Exception {
        int count = 3_000;
        OrderedLane lane = new OrderedLane(workers);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            lane.add(() -> {
                if (inside.incrementAndGet() != 1) {
                    overlaps.incrementAndGet();
                }
                inside.decrementAndGet();
                done.countDown();
            });
        }

        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(overlaps).hasValue(0);
    }
}
