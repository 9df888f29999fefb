package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody is inside of a gate when it is shut, and a gate that forgets somebody is found. */
@Tag("thorough")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class GateLincheckTest {
    @Test
    void letsNobodyInsideOnceItIsShut() {
        assertThatCode(() -> options().check(Sound.class)).doesNotThrowAnyException();
    }

    @Test
    void findsAGateThatLooksBeforeItCounts() {
        assertThatThrownBy(() -> options().check(LooksBeforeItCounts.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }

    /** Visitors of memory behind a gate, and who frees it. */
    public abstract static class Scenario {
        private volatile boolean isFreed;
        private final AtomicInteger turnedAway = new AtomicInteger();

        /** Works in the memory. */
        @Operation
        public void visit() {
            if (!enter()) {
                turnedAway.incrementAndGet();
                return;
            }
            if (isFreed) {
                throw new IllegalStateException("inside of freed memory");
            }
            leave();
        }

        /** Shuts the gate and frees the memory. */
        @Operation(runOnce = true)
        public void free() {
            if (tryShut()) {
                isFreed = true;
            }
        }

        /** Checks the promise. */
        @Validate
        public void nobodyEntersAFreedGate() {
            if (isFreed && enter()) {
                throw new IllegalStateException("entered after it was shut");
            }
            if (!isFreed && turnedAway.get() > 0) {
                throw new IllegalStateException("turned away from an open gate");
            }
        }

        abstract boolean enter();

        abstract void leave();

        abstract boolean tryShut();
    }

    /** The gate itself. */
    public static final class Sound extends Scenario {
        private final Gate gate = new Gate();

        @Override
        boolean enter() {
            return gate.enter();
        }

        @Override
        void leave() {
            gate.leave();
        }

        @Override
        boolean tryShut() {
            return gate.shut(Duration.ofSeconds(10));
        }
    }

    /** Somebody who has looked and not yet counted is overlooked. */
    public static final class LooksBeforeItCounts extends Scenario {
        private final AtomicInteger inside = new AtomicInteger();
        private volatile boolean shut;

        @Override
        boolean enter() {
            if (shut) {
                return false;
            }
            inside.incrementAndGet();
            return true;
        }

        @Override
        void leave() {
            inside.decrementAndGet();
        }

        @Override
        boolean tryShut() {
            shut = true;
            return inside.get() == 0;
        }
    }
}
