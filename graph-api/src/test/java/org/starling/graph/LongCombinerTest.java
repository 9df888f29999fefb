package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The laws on which the engine builds when it combines {@code long} messages in any order. */
@Timeout(10)
class LongCombinerTest {

    private static final int TRIALS = 2_000;
    private static final long[] BORDERS = {
        0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE + 1
    };

    @ParameterizedTest
    @EnumSource
    void identityChangesNothing(LongCombiner.Standard combiner) {
        Random random = new Random(1);
        for (int i = 0; i < TRIALS; i++) {
            long x = i < BORDERS.length ? BORDERS[i] : draw(random);

            assertThat(combiner.combine(combiner.identity(), x))
                    .as("seed 1, trial %d", i)
                    .isEqualTo(x);
        }
    }

    @ParameterizedTest
    @EnumSource
    void groupingMakesNoDifference(LongCombiner.Standard combiner) {
        Random random = new Random(2);
        for (int i = 0; i < TRIALS; i++) {
            long x = draw(random);
            long y = draw(random);
            long z = draw(random);

            long left = combiner.combine(combiner.combine(x, y), z);
            long right = combiner.combine(x, combiner.combine(y, z));

            assertThat(left).as("seed 2: %s, %s, %s", x, y, z).isEqualTo(right);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ANY", mode = Mode.EXCLUDE)
    void sidesMakeNoDifference(LongCombiner.Standard combiner) {
        for (long x : BORDERS) {
            for (long y : BORDERS) {
                assertThat(combiner.combine(x, y))
                        .as("%s, %s", x, y)
                        .isEqualTo(combiner.combine(y, x));
            }
        }
        Random random = new Random(3);
        for (int i = 0; i < TRIALS; i++) {
            long x = draw(random);
            long y = draw(random);

            assertThat(combiner.combine(x, y))
                    .as("seed 3: %s, %s", x, y)
                    .isEqualTo(combiner.combine(y, x));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SUM", mode = Mode.EXCLUDE)
    void answersOneOfTheTwoUnlessItAdds(LongCombiner.Standard combiner) {
        for (long x : BORDERS) {
            for (long y : BORDERS) {
                assertThat(combiner.combine(x, y)).isIn(x, y);
                assertThat(combiner.combine(x, x)).isEqualTo(x);
            }
        }
    }

    @Test
    void combinesAsItsNameSays() {
        assertThat(LongCombiner.MIN.combine(-3, 5)).isEqualTo(-3);
        assertThat(LongCombiner.MAX.combine(-3, 5)).isEqualTo(5);
        assertThat(LongCombiner.SUM.combine(-3, 5)).isEqualTo(2);
        assertThat(LongCombiner.ANY.combine(-3, 5)).isEqualTo(5);
    }

    @Test
    void constantsAreTheOnesTheEngineKnowsByHeart() {
        assertThat(LongCombiner.MIN).isSameAs(LongCombiner.Standard.MIN);
        assertThat(LongCombiner.MAX).isSameAs(LongCombiner.Standard.MAX);
        assertThat(LongCombiner.SUM).isSameAs(LongCombiner.Standard.SUM);
        assertThat(LongCombiner.ANY).isSameAs(LongCombiner.Standard.ANY);
    }

    @Test
    void sumsWrapAroundSoThatGroupingStaysFree() {
        assertThat(LongCombiner.SUM.combine(Long.MAX_VALUE, 1)).isEqualTo(Long.MIN_VALUE);
        assertThat(LongCombiner.SUM.combine(Long.MIN_VALUE, -1)).isEqualTo(Long.MAX_VALUE);
    }

    /** Of all magnitudes. */
    private static long draw(Random random) {
        return random.nextLong() >> random.nextInt(Long.SIZE);
    }
}
