package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work that begins at every point of a calm thread's way to sleep is seen before it wakes. */
final class ZoneRoundsTest {
    /** Less than a calm thread sleeps when nobody tells it of work. */
    private static final long SOON_MILLIS = 1_500;

    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final FakeWork work = new FakeWork();

    /** So fast that a thread without work is calm after its first rounds. */
    private final AtomicLong clock = new AtomicLong();

    private final ZoneRounds rounds = new ZoneRounds(1, () -> clock.addAndGet(STEP_NANOS), work);

    @AfterEach
    void close() {
        rounds.close();
    }

    @Test
    void seesWorkThatBeginsBeforeTheThreadIsCalm() throws InterruptedException {
        // the looks of a round without work: before it, after it, and when it is calm
        work.beginAfterLook(2, rounds);

        rounds.start();

        assertThat(work.isDoneSoon()).isTrue();
    }

    @Test
    void seesWorkThatBeginsBetweenTheLastLookAndTheSleep() throws InterruptedException {
        work.beginAfterLook(3, rounds);

        rounds.start();

        assertThat(work.isDoneSoon()).isTrue();
    }

    @Test
    void wakesACalmThreadForWork() throws InterruptedException {
        rounds.start();
        work.awaitRounds(1);
        TimeUnit.MILLISECONDS.sleep(100); // asleep, most likely

        work.begin(rounds);

        assertThat(work.isDoneSoon()).isTrue();
    }

    @Test
    void sleepsWhileThereIsNothingToDo() throws InterruptedException {
        rounds.start();
        work.awaitRounds(1);

        TimeUnit.MILLISECONDS.sleep(1_000);

        assertThat(work.rounds.get()).isEqualTo(1);
    }

    /** Work that is done by the first round that begins after it. */
    private static final class FakeWork implements ZoneRounds.Work {
        private final Semaphore done = new Semaphore(0);
        private final Semaphore begunRounds = new Semaphore(0);
        private final AtomicInteger rounds = new AtomicInteger();
        private final AtomicInteger looks = new AtomicInteger();
        private volatile boolean isWaiting;
        private volatile int beginsAfter;
        private volatile @Nullable ZoneRounds told;

        void beginAfterLook(int look, ZoneRounds who) {
            told = who;
            beginsAfter = look;
        }

        void begin(ZoneRounds who) {
            isWaiting = true;
            who.stir();
        }

        boolean isDoneSoon() throws InterruptedException {
            return done.tryAcquire(SOON_MILLIS, TimeUnit.MILLISECONDS);
        }

        void awaitRounds(int count) throws InterruptedException {
            begunRounds.acquire(count);
        }

        @Override
        public boolean isEmpty() {
            return false;
        }

        @Override
        public boolean hasWork() {
            boolean hasWork = isWaiting;
            ZoneRounds who = told;
            if (looks.incrementAndGet() == beginsAfter && who != null) {
                begin(who);
            }
            return hasWork;
        }

        @Override
        public void doWork() {
            rounds.incrementAndGet();
            begunRounds.release();
            if (isWaiting) {
                isWaiting = false;
                done.release();
            }
        }
    }
}
