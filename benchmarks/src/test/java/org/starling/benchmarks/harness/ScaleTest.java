package org.starling.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which values a study takes. */
final class ScaleTest {
    @Test
    void takesAllValuesAtFullScale() {
        assertThat(Scale.FULL.points(3, 1, 2)).containsExactly(3, 1, 2);
        assertThat(Scale.FULL.powers(1, 128, 2)).containsExactly(1, 2, 4, 8, 16, 32, 64, 128);
        assertThat(Scale.FULL.powers(5, 50_000, 10)).containsExactly(5, 50, 500, 5_000, 50_000);
    }

    @Test
    void keepsBothEndsWhenItTakesFew() {
        Scale three = new Scale(Duration.ofMillis(1), 2, 3, 8);

        assertThat(Scale.QUICK.powers(1, 128, 2)).containsExactly(1, 128);
        assertThat(three.points(1, 2, 3, 4, 5)).containsExactly(1, 3, 5);
        assertThat(new Scale(Duration.ofMillis(1), 2, 1, 8).points(4, 5)).containsExactly(4);
    }

    @Test
    void refusesWhatGivesNoSpread() {
        assertThatIllegalArgumentException().isThrownBy(() -> Scale.FULL.withRepetitions(1));
    }
}
