package org.starling.benchmarks.studies;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring of the senders study under Lincheck, and its broken twins, which it must find. */
@Timeout(120)
final class LabRingLincheckTest {
    @Test
    void keepsEveryFrameWhenCommitsReturnEarly() {
        assertThatCode(() -> model().check(LabRingScenario.EarlyReturn.class))
                .doesNotThrowAnyException();
    }

    @Test
    void keepsEveryFrameWhenCommitsWaitForTheirTurn() {
        assertThatCode(() -> model().check(LabRingScenario.ClaimOrder.class))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                LabRingScenario.ClaimWithoutCompareAndSet.class,
                LabRingScenario.RoomIsNotZeroed.class,
                LabRingScenario.PublishesOutOfTurn.class
            })
    void brokenTwinsAreFound(Class<?> twin) {
        assertThatThrownBy(() -> model().check(twin)).isInstanceOf(AssertionError.class);
    }

    private static ModelCheckingOptions model() {
        return new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(60)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(3)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }
}
