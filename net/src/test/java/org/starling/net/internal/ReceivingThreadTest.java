package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.Await;
import org.starling.net.NetConfig;

/** Who receives: the thread that is there for it, or who waits for an answer. */
@Timeout(60)
final class ReceivingThreadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final FrameSamples.Note ANSWER = new FrameSamples.Note(1);
    private static final int MANY = 200_000;
    private static final int FEW = 2_000;

    /** Each round brings the answer that is awaited. */
    private static final class Rounds implements ReceivingThread.Agent {
        private volatile @Nullable CompletableFuture<FrameSamples.Note> awaited;
        private volatile boolean isClosed;
        private volatile boolean hasEnded;
        private volatile boolean isFailing;
        private volatile boolean isIdle = true;
        private final AtomicLong own = new AtomicLong();
        private final AtomicLong others = new AtomicLong();

        @Override
        public int doWork() {
            own.incrementAndGet();
            return answer();
        }

        @Override
        public int takeAnswers() {
            others.incrementAndGet();
            if (isFailing) {
                throw new IllegalStateException("on purpose");
            }
            return answer();
        }

        private int answer() {
            CompletableFuture<FrameSamples.Note> answer = awaited;
            return answer != null && answer.complete(ANSWER) ? 1 : 0;
        }

        @Override
        public int sleep() {
            LockSupport.parkNanos(this, 1_000);
            return 0;
        }

        @Override
        public boolean isIdle() {
            return isIdle;
        }

        @Override
        public boolean isClosed() {
            return isClosed;
        }

        @Override
        public void end() {
            hasEnded = true;
        }
    }

    private final Messenger messenger =
            new Messenger(1, new DeafTransport(link -> {}), NetConfig.defaults(), Limits.DEFAULTS);
    private final Rounds rounds = new Rounds();
    private volatile int excess;
    private volatile boolean isFull;

    /** Lends its role for long enough for threads that have to wait for a core. */
    private final ReceivingThread thread =
            new ReceivingThread(messenger, rounds, () -> excess, TimeUnit.MILLISECONDS.toNanos(5));

    @AfterEach
    void endsWhoeverReceives() {
        rounds.isClosed = true;
        assertThat(thread.join()).isTrue();
        assertThat(rounds.hasEnded).isTrue();
    }

    /** Waits for one answer, as a future of the network does. */
    private boolean await() throws Exception {
        PendingRequest<FrameSamples.Note> answer = ask();
        boolean hasReceived = thread.receiveUntil(answer);
        assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(ANSWER);
        return hasReceived;
    }

    private PendingRequest<FrameSamples.Note> ask() {
        PendingRequest<FrameSamples.Note> answer =
                messenger.requests().add(2, new FrameSamples.Question(1), PATIENCE);
        rounds.awaited = answer;
        return answer;
    }

    private boolean awaitUntilLent(int tries) throws Exception {
        boolean hasReceived = false;
        for (int i = 0; i < tries && !hasReceived; i++) {
            hasReceived = await();
        }
        return hasReceived;
    }

    @Test
    void lendsItsRoleToWhoWaitsAgainAndAgainAndTakesItBack() throws Exception {
        thread.start();

        assertThat(awaitUntilLent(MANY)).isTrue();
        assertThat(rounds.others).hasPositiveValue();

        long before = rounds.own.get();
        Await.that(() -> rounds.own.get() > before);
        assertThat(awaitUntilLent(MANY)).isTrue();
    }

    @Test
    void isBackWhereSomethingIsLeft() throws Exception {
        thread.start();
        assertThat(awaitUntilLent(MANY)).isTrue();
        rounds.isIdle = false;

        boolean _ = awaitUntilLent(1); // who has it still, or takes it just now
        long before = rounds.own.get();
        Await.that(() -> rounds.own.get() > before);

        assertThat(awaitUntilLent(FEW)).isFalse();
    }

    @Test
    void keepsItsRoleOnABusyMachineAndFromThreadsThatMayNotSpin() throws Exception {
        thread.start();
        excess = 2;
        assertThat(awaitUntilLent(FEW)).isFalse();

        excess = 0;
        CompletableFuture<Boolean> virtual = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                virtual.complete(awaitUntilLent(FEW));
            } catch (Exception e) {
                virtual.completeExceptionally(e);
            }
        });
        assertThat(virtual.get(30, TimeUnit.SECONDS)).isFalse();
        assertThat(rounds.others).hasValue(0);
    }

    @Test
    void endsOfWhatEndsARoundInItsPlace() throws Exception {
        thread.start();
        assertThat(awaitUntilLent(MANY)).isTrue();
        rounds.isFailing = true;

        for (int i = 0; i < MANY && !rounds.hasEnded; i++) {
            PendingRequest<FrameSamples.Note> answer = ask();
            if (!thread.receiveUntil(answer)) {
                Await.that(() -> answer.isDone() || rounds.hasEnded);
            }
        }

        Await.that(() -> rounds.hasEnded);
        assertThat(messenger.statistics().receivingFailures()).isOne();
        assertThat(messenger.isReceivingThread()).isFalse();
    }

    /** Whose answer is there before anything is received keeps nobody else waiting. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void receivesWhileOneWaitsForWhatIsThereAgainAndAgain(int looks) throws Exception {
        thread.start();
        assertThat(awaitUntilLent(MANY)).isTrue();
        long before = rounds.own.get() + rounds.others.get();

        Await.that(() -> {
            PendingRequest<FrameSamples.Note> other =
                    messenger.requests().add(2, new FrameSamples.Question(1), PATIENCE);
            boolean _ = thread.receiveUntil(new DoneAfter(looks));
            boolean _ = other.cancel(false);
            return rounds.own.get() + rounds.others.get() > before + FEW / 100;
        });
    }

    @Test
    void goesOnBehindAThreadWhoseStackIsFull() throws Exception {
        thread.start();
        Thread deep =
                new Thread(
                        null,
                        () -> {
                            try {
                                boolean _ = awaitUntilLent(MANY);
                                descend();
                            } catch (StackOverflowError full) { // wherever that was
                                isFull = true;
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        "deep",
                        1 << 20);
        deep.start();
        deep.join();

        assertThat(isFull).isTrue();
        long before = rounds.own.get();
        Await.that(() -> rounds.own.get() > before);
        assertThat(rounds.hasEnded).isFalse();
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack is full
    private void descend() {
        boolean _ = thread.receiveUntil(ask());
        descend();
    }

    /** An answer that is there when it has been looked for some times. */
    private static final class DoneAfter extends CompletableFuture<Integer> {
        private int looks;

        private DoneAfter(int looks) {
            this.looks = looks;
        }

        @Override
        public boolean isDone() {
            return looks-- <= 0;
        }
    }
}
