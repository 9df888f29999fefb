package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The laws on which the engine builds when it combines {@code float} messages in any order. */
@Timeout(10)
class FloatCombinerTest {

    private static final int TRIALS = 2_000;
    private static final float[] BORDERS = {
        0,
        -1,
        1,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        Float.MIN_VALUE,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY
    };

    @ParameterizedTest
    @EnumSource
    void identityChangesNothing(FloatCombiner.Standard combiner) {
        Random random = new Random(1);
        for (int i = 0; i < TRIALS; i++) {
            float x = i < BORDERS.length ? BORDERS[i] : draw(random);

            assertThat(combiner.combine(combiner.identity(), x))
                    .as("seed 1, trial %d", i)
                    .isEqualTo(x);
        }
    }

    @ParameterizedTest
    @EnumSource
    void groupingMakesNoDifference(FloatCombiner.Standard combiner) {
        Random random = new Random(2);
        for (int i = 0; i < TRIALS; i++) {
            float x = draw(random);
            float y = draw(random);
            float z = draw(random);

            float left = combiner.combine(combiner.combine(x, y), z);
            float right = combiner.combine(x, combiner.combine(y, z));

            assertThat(left).as("seed 2: %s, %s, %s", x, y, z).isEqualTo(right);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ANY", mode = Mode.EXCLUDE)
    void sidesMakeNoDifference(FloatCombiner.Standard combiner) {
        for (float x : BORDERS) {
            for (float y : BORDERS) {
                // two NaN are the same here
                assertThat(Float.compare(combiner.combine(x, y), combiner.combine(y, x)))
                        .as("%s, %s", x, y)
                        .isZero();
            }
        }
        Random random = new Random(3);
        for (int i = 0; i < TRIALS; i++) {
            float x = draw(random);
            float y = draw(random);

            assertThat(combiner.combine(x, y))
                    .as("seed 3: %s, %s", x, y)
                    .isEqualTo(combiner.combine(y, x));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SUM", mode = Mode.EXCLUDE)
    void answersOneOfTheTwoUnlessItAdds(FloatCombiner.Standard combiner) {
        for (float x : BORDERS) {
            for (float y : BORDERS) {
                assertThat(combiner.combine(x, y)).isIn(x, y);
                assertThat(combiner.combine(x, x)).isEqualTo(x);
            }
        }
    }

    @Test
    void combinesAsItsNameSays() {
        assertThat(FloatCombiner.MIN.combine(-3, 5)).isEqualTo(-3);
        assertThat(FloatCombiner.MAX.combine(-3, 5)).isEqualTo(5);
        assertThat(FloatCombiner.SUM.combine(-3, 5)).isEqualTo(2);
        assertThat(FloatCombiner.ANY.combine(-3, 5)).isEqualTo(5);
    }

    @Test
    void constantsAreTheOnesTheEngineKnowsByHeart() {
        assertThat(FloatCombiner.MIN).isSameAs(FloatCombiner.Standard.MIN);
        assertThat(FloatCombiner.MAX).isSameAs(FloatCombiner.Standard.MAX);
        assertThat(FloatCombiner.SUM).isSameAs(FloatCombiner.Standard.SUM);
        assertThat(FloatCombiner.ANY).isSameAs(FloatCombiner.Standard.ANY);
    }

    /** A rank or a distance that went wrong must show in the result and not vanish on the way. */
    @ParameterizedTest
    @EnumSource(names = "ANY", mode = Mode.EXCLUDE)
    void notANumberSpreadsFromEitherSide(FloatCombiner.Standard combiner) {
        for (float x : BORDERS) {
            assertThat(combiner.combine(Float.NaN, x)).isNaN();
            assertThat(combiner.combine(x, Float.NaN)).isNaN();
        }
        assertThat(combiner.combine(combiner.identity(), Float.NaN)).isNaN();
    }

    @Test
    void oppositeInfinitiesAddUpToNotANumberAndEqualOnesStay() {
        float infinity = Float.POSITIVE_INFINITY;

        assertThat(FloatCombiner.SUM.combine(infinity, -infinity)).isNaN();
        assertThat(FloatCombiner.SUM.combine(infinity, infinity)).isEqualTo(infinity);
        assertThat(FloatCombiner.SUM.combine(Float.MAX_VALUE, Float.MAX_VALUE)).isEqualTo(infinity);
        assertThat(FloatCombiner.MIN.combine(infinity, -infinity)).isEqualTo(-infinity);
        assertThat(FloatCombiner.MAX.combine(infinity, -infinity)).isEqualTo(infinity);
    }

    /** Compared by bits, as {@code -0} and {@code 0} are equal as numbers. */
    @Test
    void negativeZeroIsTheSmallerOneWhicheverComesFirst() {
        assertThat(bits(FloatCombiner.MIN.combine(0f, -0f))).isEqualTo(bits(-0f));
        assertThat(bits(FloatCombiner.MIN.combine(-0f, 0f))).isEqualTo(bits(-0f));
        assertThat(bits(FloatCombiner.MAX.combine(0f, -0f))).isEqualTo(bits(0f));
        assertThat(bits(FloatCombiner.MAX.combine(-0f, 0f))).isEqualTo(bits(0f));
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    /**
     * Whole numbers whose sums are exact; of others the sum depends on the order, as documented.
     */
    private static float draw(Random random) {
        return random.nextInt(-1_000_000, 1_000_000);
    }
}
