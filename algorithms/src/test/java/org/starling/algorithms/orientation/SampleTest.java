package org.starling.algorithms.orientation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SampleTest {
    @Test
    void takesItsShareOfTheKeys() {
        Sample sample = new Sample(5);

        assertThat(taken(sample, 64)).isBetween(1400L, 1725L);
        assertThat(taken(sample, 1)).isEqualTo(100_000L);
    }

    @Test
    void takesOtherKeysForAnotherSeed() {
        long[] first = keys(new Sample(5));
        long[] again = keys(new Sample(5));
        long[] other = keys(new Sample(6));

        assertThat(again).isEqualTo(first);
        assertThat(other).isNotEqualTo(first);
    }

    private static long taken(Sample sample, long oneIn) {
        return LongStream.range(0, 100_000).filter(key -> sample.takes(key, oneIn)).count();
    }

    private static long[] keys(Sample sample) {
        return LongStream.range(0, 1000).filter(key -> sample.takes(key, 16)).toArray();
    }
}
