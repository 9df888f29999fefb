package org.starling.benchmarks.graph500;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StatisticsTest {

    private static final double TINY = 1e-12;

    @Test
    void takesQuartilesOfFourValues() {
        Statistics figures = Statistics.of(new double[] {4, 1, 3, 2});

        // (n - 1) / 4 = 0 and n / 4 = 1: (1 + 2) / 2.
        assertThat(figures.min()).isEqualTo(1);
        assertThat(figures.firstQuartile()).isEqualTo(1.5);
        assertThat(figures.median()).isEqualTo(2.5);
        assertThat(figures.thirdQuartile()).isEqualTo(3.5);
        assertThat(figures.max()).isEqualTo(4);
        assertThat(figures.mean()).isEqualTo(2.5);
        assertThat(figures.stddev()).isCloseTo(Math.sqrt(5.0 / 3), within(TINY));
    }

    @Test
    void takesQuartilesOf64Values() {
        double[] sample = new double[64];
        for (int k = 0; k < sample.length; k++) {
            sample[k] = 63 - k;
        }

        Statistics figures = Statistics.of(sample);

        // Indices 15 and 16; 31 and 32; 48 and 47.
        assertThat(figures.firstQuartile()).isEqualTo(15.5);
        assertThat(figures.median()).isEqualTo(31.5);
        assertThat(figures.thirdQuartile()).isEqualTo(47.5);
    }

    @Test
    void takesTheMiddleOfFiveValues() {
        Statistics figures = Statistics.of(new double[] {10, 20, 30, 40, 50});

        // Indices 1 and 1; 2 and 2; 3 and 3.
        assertThat(figures.firstQuartile()).isEqualTo(20);
        assertThat(figures.median()).isEqualTo(30);
        assertThat(figures.thirdQuartile()).isEqualTo(40);
    }

    @Test
    void invertsFiguresOfRates() {
        Statistics rates = Statistics.ofRates(new double[] {0.5, 0.25, 0.125, 0.125});

        assertThat(rates.min()).isEqualTo(2);
        assertThat(rates.max()).isEqualTo(8);
        assertThat(rates.mean()).isEqualTo(4);
        // Times sorted: 0.125, 0.125, 0.25, 0.5; their quartiles are 0.125 and 0.375.
        assertThat(rates.firstQuartile()).isCloseTo(1 / 0.375, within(TINY));
        assertThat(rates.thirdQuartile()).isEqualTo(8);
        assertThat(rates.median()).isCloseTo(1 / 0.1875, within(TINY));
        // Deviation of the times, over their mean squared and the root of n - 1.
        double deviation = Math.sqrt((0.0625 + 2 * 0.015625) / 3);
        assertThat(rates.stddev()).isCloseTo(deviation / (0.0625 * Math.sqrt(3)), within(TINY));
    }

    @Test
    void hasNoDeviationOfOneValue() {
        assertThat(Statistics.of(new double[] {7}).stddev()).isZero();
        assertThat(Statistics.ofRates(new double[] {0.5}).stddev()).isZero();
        assertThat(Statistics.ofRates(new double[] {0.5}).mean()).isEqualTo(2);
    }

    @Test
    void refusesAnEmptySample() {
        assertThatThrownBy(() -> Statistics.of(new double[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
