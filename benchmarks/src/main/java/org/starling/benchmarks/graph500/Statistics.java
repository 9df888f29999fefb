package org.starling.benchmarks.graph500;

import java.util.Arrays;

/**
 * The figures that Graph500 gives of a sample. Source: output of the reference 3.0.0 (quartiles are
 * the mean of two order statistics, the standard deviation has n − 1 in its denominator).
 *
 * @param min smallest value
 * @param firstQuartile mean of the values with the indices (n − 1) / 4 and n / 4
 * @param median mean of the values with the indices (n − 1) / 2 and n / 2
 * @param thirdQuartile as the first one, counted from the end
 * @param max largest value
 * @param mean arithmetic mean
 * @param stddev standard deviation; 0 for one value
 */
record Statistics(
        double min,
        double firstQuartile,
        double median,
        double thirdQuartile,
        double max,
        double mean,
        double stddev) {

    /** Figures of a sample of at least one value. */
    static Statistics of(double[] sample) {
        int count = sample.length;
        if (count == 0) {
            throw new IllegalArgumentException("an empty sample");
        }
        double[] sorted = sample.clone();
        Arrays.sort(sorted);
        double mean = Arrays.stream(sorted).sum() / count;
        double squares = Arrays.stream(sorted).map(x -> (x - mean) * (x - mean)).sum();
        return new Statistics(
                sorted[0],
                (sorted[(count - 1) / 4] + sorted[count / 4]) / 2,
                (sorted[(count - 1) / 2] + sorted[count / 2]) / 2,
                (sorted[count - 1 - (count - 1) / 4] + sorted[count - 1 - count / 4]) / 2,
                sorted[count - 1],
                mean,
                count == 1 ? 0 : Math.sqrt(squares / (count - 1)));
    }

    /**
     * Figures of rates, from times per unit: every figure is inverted, so that quartiles change
     * places, the mean is the harmonic one, and the standard deviation is that of the harmonic
     * mean.
     */
    static Statistics ofRates(double[] timesPerUnit) {
        Statistics times = of(timesPerUnit);
        int count = timesPerUnit.length;
        return new Statistics(
                1 / times.max,
                1 / times.thirdQuartile,
                1 / times.median,
                1 / times.firstQuartile,
                1 / times.min,
                1 / times.mean,
                count == 1 ? 0 : times.stddev / (times.mean * times.mean * Math.sqrt(count - 1)));
    }
}
