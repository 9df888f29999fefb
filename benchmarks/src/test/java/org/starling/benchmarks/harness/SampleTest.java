package org.starling.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/**
 * Statistics against values from textbooks: the sleep of ten patients with either of two drugs
 * (Student, "The probable error of a mean", Biometrika 6, 1908), as R's t.test gives them.
 */
final class SampleTest {
    private static final Sample FIRST_DRUG =
            Sample.of(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0);
    private static final Sample SECOND_DRUG =
            Sample.of(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4);

    @Test
    void givesMeanAndDeviationOfStudentsSleepers() {
        assertThat(FIRST_DRUG.mean()).isCloseTo(0.75, within(1e-12));
        assertThat(SECOND_DRUG.mean()).isCloseTo(2.33, within(1e-12));
        assertThat(FIRST_DRUG.standardDeviation()).isCloseTo(1.789010, within(1e-6));
        assertThat(SECOND_DRUG.standardDeviation()).isCloseTo(2.002249, within(1e-6));
    }

    @Test
    void givesMedianAndEnds() {
        Sample odd = Sample.of(5, 1, 9, 2, 3);

        assertThat(odd.median()).isEqualTo(3);
        assertThat(Sample.of(4, 1, 2, 9).median()).isEqualTo(3);
        assertThat(odd.minimum()).isEqualTo(1);
        assertThat(odd.maximum()).isEqualTo(9);
    }

    @Test
    void givesTheIntervalThatTablesOfStudentsTGive() {
        double quantile = 3.249836; // 99.5 % of t with 9 degrees of freedom

        assertThat(FIRST_DRUG.confidence99())
                .isCloseTo(quantile * 1.789010 / Math.sqrt(10), within(1e-5));
    }

    @Test
    void givesWelchsProbabilityOfStudentsSleepers() {
        assertThat(FIRST_DRUG.welchProbability(SECOND_DRUG)).isCloseTo(0.07939414, within(1e-7));
        assertThat(SECOND_DRUG.welchProbability(FIRST_DRUG)).isCloseTo(0.07939414, within(1e-7));
    }

    @Test
    void doesNotAssumeEqualVariances() {
        Sample narrow = Sample.of(10.0, 10.1, 9.9, 10.0, 10.1, 9.9);
        Sample wide = Sample.of(4.0, 25.0);

        // t = 4.5 / 10.5 with one degree of freedom; pooled variances would give 0.35
        assertThat(narrow.welchProbability(wide)).isCloseTo(0.7424, within(5e-4));
    }

    @Test
    void tellsConstantsApart() {
        assertThat(Sample.of(1, 1).welchProbability(Sample.of(1, 1, 1))).isEqualTo(1);
        assertThat(Sample.of(1, 1).welchProbability(Sample.of(2, 2))).isZero();
        assertThat(Sample.of(1, 1).confidence99()).isZero();
    }

    @Test
    void takesOneValueButNotNone() {
        assertThat(Sample.of(7).median()).isEqualTo(7);
        assertThat(Sample.of(7).standardDeviation()).isZero();
        assertThatIllegalArgumentException().isThrownBy(Sample::of);
    }
}
