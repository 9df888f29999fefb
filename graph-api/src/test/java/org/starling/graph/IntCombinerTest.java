package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The laws on which the engine builds when it combines {@code int} messages in any order. */
@Timeout(10)
class IntCombinerTest {

    private static final int TRIALS = 2_000;
    private static final int[] BORDERS = {
        0, -1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 1, Integer.MIN_VALUE + 1
    };

    @ParameterizedTest
    @EnumSource
    void identityChangesNothing(IntCombiner.Standard combiner) {
        Random random = new Random(1);
        for (int i = 0; i < TRIALS; i++) {
            int x = i < BORDERS.length ? BORDERS[i] : draw(random);

            assertThat(combiner.combine(combiner.identity(), x))
                    .as("seed 1, trial %d", i)
                    .isEqualTo(x);
        }
    }

    @ParameterizedTest
    @EnumSource
    void groupingMakesNoDifference(IntCombiner.Standard combiner) {
        Random random = new Random(2);
        for (int i = 0; i < TRIALS; i++) {
            int x = draw(random);
            int y = draw(random);
            int z = draw(random);

            int left = combiner.combine(combiner.combine(x, y), z);
            int right = combiner.combine(x, combiner.combine(y, z));

            assertThat(left).as("seed 2: %s, %s, %s", x, y, z).isEqualTo(right);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ANY", mode = Mode.EXCLUDE)
    void sidesMakeNoDifference(IntCombiner.Standard combiner) {
        for (int x : BORDERS) {
            for (int y : BORDERS) {
                assertThat(combiner.combine(x, y))
                        .as("%s, %s", x, y)
                        .isEqualTo(combiner.combine(y, x));
            }
        }
        Random random = new Random(3);
        for (int i = 0; i < TRIALS; i++) {
            int x = draw(random);
            int y = draw(random);

            assertThat(combiner.combine(x, y))
                    .as("seed 3: %s, %s", x, y)
                    .isEqualTo(combiner.combine(y, x));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SUM", mode = Mode.EXCLUDE)
    void answersOneOfTheTwoUnlessItAdds(IntCombiner.Standard combiner) {
        for (int x : BORDERS) {
            for (int y : BORDERS) {
                assertThat(combiner.combine(x, y)).isIn(x, y);
                assertThat(combiner.combine(x, x)).isEqualTo(x);
            }
        }
    }

    @Test
    void combinesAsItsNameSays() {
        assertThat(IntCombiner.MIN.combine(-3, 5)).isEqualTo(-3);
        assertThat(IntCombiner.MAX.combine(-3, 5)).isEqualTo(5);
        assertThat(IntCombiner.SUM.combine(-3, 5)).isEqualTo(2);
        assertThat(IntCombiner.ANY.combine(-3, 5)).isEqualTo(5);
    }

    @Test
    void constantsAreTheOnesTheEngineKnowsByHeart() {
        assertThat(IntCombiner.MIN).isSameAs(IntCombiner.Standard.MIN);
        assertThat(IntCombiner.MAX).isSameAs(IntCombiner.Standard.MAX);
        assertThat(IntCombiner.SUM).isSameAs(IntCombiner.Standard.SUM);
        assertThat(IntCombiner.ANY).isSameAs(IntCombiner.Standard.ANY);
    }

    @Test
    void sumsWrapAroundSoThatGroupingStaysFree() {
        assertThat(IntCombiner.SUM.combine(Integer.MAX_VALUE, 1)).isEqualTo(Integer.MIN_VALUE);
        assertThat(IntCombiner.SUM.combine(Integer.MIN_VALUE, -1)).isEqualTo(Integer.MAX_VALUE);
    }

    /** Of all magnitudes. */
    private static int draw(Random random) {
        return random.nextInt() >> random.nextInt(Integer.SIZE);
    }
}
