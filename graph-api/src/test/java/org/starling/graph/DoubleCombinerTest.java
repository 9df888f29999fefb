package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The laws on which the engine builds when it combines {@code double} messages in any order. */
@Timeout(10)
class DoubleCombinerTest {

    private static final int TRIALS = 2_000;
    private static final double[] BORDERS = {
        0,
        -1,
        1,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        Double.MIN_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    @ParameterizedTest
    @EnumSource
    void identityChangesNothing(DoubleCombiner.Standard combiner) {
        Random random = new Random(1);
        for (int i = 0; i < TRIALS; i++) {
            double x = i < BORDERS.length ? BORDERS[i] : draw(random);

            assertThat(combiner.combine(combiner.identity(), x))
                    .as("seed 1, trial %d", i)
                    .isEqualTo(x);
        }
    }

    @ParameterizedTest
    @EnumSource
    void groupingMakesNoDifference(DoubleCombiner.Standard combiner) {
        Random random = new Random(2);
        for (int i = 0; i < TRIALS; i++) {
            double x = draw(random);
            double y = draw(random);
            double z = draw(random);

            double left = combiner.combine(combiner.combine(x, y), z);
            double right = combiner.combine(x, combiner.combine(y, z));

            assertThat(left).as("seed 2: %s, %s, %s", x, y, z).isEqualTo(right);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ANY", mode = Mode.EXCLUDE)
    void sidesMakeNoDifference(DoubleCombiner.Standard combiner) {
        for (double x : BORDERS) {
            for (double y : BORDERS) {
                // two NaN are the same here
                assertThat(Double.compare(combiner.combine(x, y), combiner.combine(y, x)))
                        .as("%s, %s", x, y)
                        .isZero();
            }
        }
        Random random = new Random(3);
        for (int i = 0; i < TRIALS; i++) {
            double x = draw(random);
            double y = draw(random);

            assertThat(combiner.combine(x, y))
                    .as("seed 3: %s, %s", x, y)
                    .isEqualTo(combiner.combine(y, x));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SUM", mode = Mode.EXCLUDE)
    void answersOneOfTheTwoUnlessItAdds(DoubleCombiner.Standard combiner) {
        for (double x : BORDERS) {
            for (double y : BORDERS) {
                assertThat(combiner.combine(x, y)).isIn(x, y);
                assertThat(combiner.combine(x, x)).isEqualTo(x);
            }
        }
    }

    @Test
    void combinesAsItsNameSays() {
        assertThat(DoubleCombiner.MIN.combine(-3, 5)).isEqualTo(-3);
        assertThat(DoubleCombiner.MAX.combine(-3, 5)).isEqualTo(5);
        assertThat(DoubleCombiner.SUM.combine(-3, 5)).isEqualTo(2);
        assertThat(DoubleCombiner.ANY.combine(-3, 5)).isEqualTo(5);
    }

    @Test
    void constantsAreTheOnesTheEngineKnowsByHeart() {
        assertThat(DoubleCombiner.MIN).isSameAs(DoubleCombiner.Standard.MIN);
        assertThat(DoubleCombiner.MAX).isSameAs(DoubleCombiner.Standard.MAX);
        assertThat(DoubleCombiner.SUM).isSameAs(DoubleCombiner.Standard.SUM);
        assertThat(DoubleCombiner.ANY).isSameAs(DoubleCombiner.Standard.ANY);
    }

    /** A rank or a distance that went wrong must show in the result and not vanish on the way. */
    @ParameterizedTest
    @EnumSource(names = "ANY", mode = Mode.EXCLUDE)
    void notANumberSpreadsFromEitherSide(DoubleCombiner.Standard combiner) {
        for (double x : BORDERS) {
            assertThat(combiner.combine(Double.NaN, x)).isNaN();
            assertThat(combiner.combine(x, Double.NaN)).isNaN();
        }
        assertThat(combiner.combine(combiner.identity(), Double.NaN)).isNaN();
    }

    @Test
    void oppositeInfinitiesAddUpToNotANumberAndEqualOnesStay() {
        double infinity = Double.POSITIVE_INFINITY;

        assertThat(DoubleCombiner.SUM.combine(infinity, -infinity)).isNaN();
        assertThat(DoubleCombiner.SUM.combine(infinity, infinity)).isEqualTo(infinity);
        assertThat(DoubleCombiner.SUM.combine(Double.MAX_VALUE, Double.MAX_VALUE))
                .isEqualTo(infinity);
        assertThat(DoubleCombiner.MIN.combine(infinity, -infinity)).isEqualTo(-infinity);
        assertThat(DoubleCombiner.MAX.combine(infinity, -infinity)).isEqualTo(infinity);
    }

    /** Compared by bits, as {@code -0} and {@code 0} are equal as numbers. */
    @Test
    void negativeZeroIsTheSmallerOneWhicheverComesFirst() {
        assertThat(bits(DoubleCombiner.MIN.combine(0d, -0d))).isEqualTo(bits(-0d));
        assertThat(bits(DoubleCombiner.MIN.combine(-0d, 0d))).isEqualTo(bits(-0d));
        assertThat(bits(DoubleCombiner.MAX.combine(0d, -0d))).isEqualTo(bits(0d));
        assertThat(bits(DoubleCombiner.MAX.combine(-0d, 0d))).isEqualTo(bits(0d));
    }

    private static long bits(double value) {
        return Double.doubleToRawLongBits(value);
    }

    /**
     * Whole numbers whose sums are exact; of others the sum depends on the order, as documented.
     */
    private static double draw(Random random) {
        return random.nextLong(-(1L << 50), 1L << 50);
    }
}
