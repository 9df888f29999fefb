package org.starling.algorithms.chance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class SplitMixTest {

    @Test
    void givesNumbersOfThatGenerator() {
        // the first numbers of SplitMix64 seeded with 1234567, as published with the generator
        assertThat(SplitMix.at(1_234_567, 0)).isEqualTo(6_457_827_717_110_365_317L);
        assertThat(SplitMix.at(1_234_567, 1)).isEqualTo(3_203_168_211_198_807_973L);
        assertThat(SplitMix.at(1_234_567, 2)).isEqualTo(-8_629_252_141_511_181_193L);
    }

    @Test
    void undoesWhatItMixed() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 10_000; i++) {
            long value = i < 1_000 ? i - 500 : random.nextLong();

            assertThat(SplitMix.unmix(SplitMix.mix(value))).isEqualTo(value);
        }
    }

    @Test
    void staysBelowItsBound() {
        assertThat(SplitMix.below(-1L, 7)).isEqualTo(6);
        assertThat(SplitMix.below(0, 7)).isZero();
        assertThat(SplitMix.below(1L << 63, 7)).isEqualTo(3);
    }
}
