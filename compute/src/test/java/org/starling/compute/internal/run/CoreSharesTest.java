package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers of several jobs on few cores, with a clock that their pieces turn. */
@Timeout(60)
final class CoreSharesTest {
    private static final long PIECE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final AtomicLong clock = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    void letsInAtOnceWhoeverIsAlone() {
        CoreShares cores = new CoreShares(1);
        CoreShares.Share share = cores.open(1);
        CoreShares.Turn one = share.turn();
        CoreShares.Turn two = share.turn();

        one.begin();
        two.begin();
        two.next();
        two.end();
        one.end();
    }

    @Test
    void sharesCoresByWeight() throws Exception {
        CoreShares cores = new CoreShares(1, clock::get);

        int[] pieces = race(cores, cores.open(1), cores.open(4));

        assertThat((double) pieces[1] / pieces[0]).isCloseTo(4, within(0.5));
    }

    @Test
    void givesAShareThatPausedNoMoreThanItsPart() throws Exception {
        CoreShares cores = new CoreShares(1, clock::get);
        CoreShares.Share busy = cores.open(1);
        CoreShares.Share paused = cores.open(1);
        CoreShares.Turn turn = busy.turn();
        turn.begin();
        clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
        turn.end();

        int[] pieces = race(cores, busy, paused);

        assertThat((double) pieces[1] / pieces[0]).isCloseTo(1, within(0.2));
    }

    @Test
    void takesAPermitFromAWorkerThatDoesNotComeBack() {
        CoreShares cores = new CoreShares(1);
        CoreShares.Turn endless = cores.open(16).turn();
        CoreShares.Share good = cores.open(1);
        endless.begin(); // and never ends

        long begin = System.nanoTime();
        for (int i = 0; i < 1000; i++) { // 50 s, if it were lent each time
            CoreShares.Turn turn = good.turn();
            turn.begin();
            turn.end();
        }

        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(30));
        endless.next();
        endless.end();
    }

    @Test
    void letsAllInWhenTheOthersHaveGone() throws Exception {
        CoreShares cores = new CoreShares(1, clock::get); // a clock that stands
        CoreShares.Share one = cores.open(1);
        CoreShares.Share two = cores.open(1);
        CoreShares.Turn held = one.turn();
        held.begin();
        CompletableFuture<?> waiting =
                CompletableFuture.runAsync(() -> two.turn().begin(), threads);
        Thread.onSpinWait();
        assertThat(waiting).isNotDone();

        one.close();

        waiting.get(50, TimeUnit.SECONDS);
        held.end();
    }

    @Test
    void keepsAnInterruptedWorkerFromSpinning() {
        CoreShares cores = new CoreShares(1, clock::get);
        CoreShares.Turn held = cores.open(1).turn();
        CoreShares.Turn other = cores.open(1).turn();
        held.begin();

        Thread.currentThread().interrupt();
        other.begin();

        assertThat(Thread.interrupted()).isTrue();
        other.end();
        held.end();
    }

    /**
     * Pieces that a worker of each share did of 500 pieces of time, all busy from the beginning.
     */
    private int[] race(CoreShares cores, CoreShares.Share... shares) throws InterruptedException {
        CoreShares.Share gate = cores.open(1);
        gate.turn().begin();
        long end = clock.get() + 500 * PIECE_NANOS;
        AtomicInteger inside = new AtomicInteger();
        int[] pieces = new int[shares.length];
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < shares.length; i++) {
            int index = i;
            workers.add(
                    Thread.ofPlatform()
                            .start(() -> pieces[index] = work(shares[index], inside, end)));
        }
        for (Thread worker : workers) {
            while (worker.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        }
        gate.close();
        for (Thread worker : workers) {
            worker.join();
        }
        return pieces;
    }

    private int work(CoreShares.Share share, AtomicInteger inside, long end) {
        CoreShares.Turn turn = share.turn();
        int pieces = 0;
        turn.begin();
        while (clock.get() < end) {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            clock.addAndGet(PIECE_NANOS);
            pieces++;
            inside.decrementAndGet();
            turn.next();
        }
        turn.end();
        return pieces;
    }
}
