package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that publish and a worker that sleeps when there is nothing to do; the permit of the
 * worker may be used up by a lock in the middle of its work. It must never sleep beside something
 * published. Two orders that were wrong once must be found.
 */
@Tag("thorough")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SignalLincheckTest {
    private static final int MAX_ROUNDS = 20;

    @Test
    void neverSleepsBesideSomethingPublished() {
        assertThatCode(() -> options().check(Sound.class)).doesNotThrowAnyException();
    }

    @Tag("slow")
    @Test
    void findsAWorkerThatTrustsItsPermit() {
        assertThatThrownBy(() -> options().check(TrustsItsPermit.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    void findsAWorkerThatLowersAfterItsWork() {
        assertThatThrownBy(() -> options().check(LowersAfterItsWork.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }

    /** The order that {@link Signal} asks for. */
    public static class Sound {
        final Signal signal = new Signal();
        private final AtomicInteger published = new AtomicInteger();
        private final AtomicBoolean hasPermit = new AtomicBoolean();

        /** Confined to the worker. */
        private int done;

        private volatile boolean isAsleep = true;

        /** Publishes something. */
        @Operation
        public void publish() {
            published.incrementAndGet();
            if (signal.raise()) {
                hasPermit.set(true); // unpark
            }
        }

        /** The worker, if it has been woken, works until it sleeps. */
        @Operation(nonParallelGroup = "worker")
        public void work() {
            for (int i = 0; i < MAX_ROUNDS && wakes(); i++) {
                isAsleep = false;
                round();
                isAsleep = !mayGoOn();
            }
        }

        /** Checks the promise. */
        @Validate
        public void nothingPublishedIsLeft() {
            work();
            if (isAsleep && done != published.get()) {
                throw new IllegalStateException(published + " published, " + done + " done");
            }
        }

        void round() {
            signal.lower();
            doAll();
        }

        boolean mayGoOn() {
            return signal.isRaised();
        }

        /** Does what is published; a lock that is waited for in between takes the permit. */
        final void doAll() {
            done = published.get();
            hasPermit.set(false);
        }

        private boolean wakes() {
            return !isAsleep || hasPermit.getAndSet(false);
        }
    }

    /** Sleeps without a last look. */
    public static final class TrustsItsPermit extends Sound {
        @Override
        boolean mayGoOn() {
            return false;
        }
    }

    /** Lowers the signal when it has done all: what is published meanwhile is forgotten. */
    public static final class LowersAfterItsWork extends Sound {
        @Override
        void round() {
            doAll();
            signal.lower();
        }
    }
}
