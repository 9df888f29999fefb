package org.starling.benchmarks.studies;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ring of the studies under Lincheck, and its broken twins, which it must find. */
@Timeout(120)
final class LabRingLincheckTest {

    @Test
    void keepsEveryFrameWhenCommitsReturnEarly() {
        assertThatCode(() -> model(4).check(LabRingScenario.EarlyReturn.class))
                .doesNotThrowAnyException();
    }

    @Test
    void keepsEveryFrameWhenCommitsWaitForEarlierOnes() {
        assertThatCode(() -> model(4).check(LabRingScenario.ClaimOrder.class))
                .doesNotThrowAnyException();
    }

    @Test
    void claimThatLooksAndMovesIsFound() {
        assertThatThrownBy(() -> model(60).check(LabRingScenario.LooksAndMoves.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void commitThatWaitsForNobodyIsFound() {
        assertThatThrownBy(() -> model(60).check(LabRingScenario.WaitsForNobody.class))
                .isInstanceOf(AssertionError.class);
    }

    private static ModelCheckingOptions model(int iterations) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }
}
