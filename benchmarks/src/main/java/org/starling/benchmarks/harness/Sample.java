package org.starling.benchmarks.harness;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.TTest;

/**
 * Independent measurements of one quantity. Immutable.
 *
 * <p>The interval is Student's for the mean; samples are compared by Welch's test, which does not
 * assume equal variances (B. L. Welch, "The generalization of Student's problem when several
 * different population variances are involved", Biometrika 34, 1947).
 */
public final class Sample {

    private static final double CONFIDENCE = 0.99;

    private final double[] values;
    private final double mean;
    private final double variance;

    private Sample(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("a sample needs a value");
        }
        this.values = values;
        this.mean = Arrays.stream(values).sum() / values.length;
        this.variance =
                Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum()
                        / Math.max(1, values.length - 1);
    }

    /** A sample of at least one value; what is spread needs two. */
    public static Sample of(double... values) {
        return new Sample(values.clone());
    }

    /** What {@code quantity} is in each of some measurements. */
    public static <T> Sample of(Collection<T> measurements, ToDoubleFunction<? super T> quantity) {
        return new Sample(measurements.stream().mapToDouble(quantity).toArray());
    }

    /** Arithmetic mean. */
    public double mean() {
        return mean;
    }

    /** The value in the middle, or the mean of the two that are. */
    public double median() {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The smallest value. */
    public double minimum() {
        return Arrays.stream(values).min().orElseThrow();
    }

    /** The largest value. */
    public double maximum() {
        return Arrays.stream(values).max().orElseThrow();
    }

    /** Standard deviation of the population, estimated with n − 1. */
    public double standardDeviation() {
        return Math.sqrt(variance);
    }

    /** Half the width of the 99 % confidence interval of the mean. */
    public double confidence99() {
        double quantile =
                TDistribution.of(values.length - 1.0)
                        .inverseSurvivalProbability((1 - CONFIDENCE) / 2);
        return quantile * Math.sqrt(variance / values.length);
    }

    /**
     * How probable a difference of means as large as this one, or larger, is if the true means are
     * the same (two-sided).
     */
    public double welchProbability(Sample other) {
        if (variance == 0 && other.variance == 0) {
            return mean == other.mean ? 1 : 0;
        }
        return TTest.withDefaults().test(values, other.values).getPValue();
    }
}
