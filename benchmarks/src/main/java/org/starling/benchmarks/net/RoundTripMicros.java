package org.starling.benchmarks.net;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How long round trips took, in microseconds.
 *
 * @param p50 half of them took no longer
 * @param p99 99 % of them took no longer
 * @param p999 99.9 % of them took no longer
 */
record RoundTripMicros(double p50, double p99, double p999) {
    private static final double NANOS = 1_000;

    /** From times in nanoseconds. */
    static RoundTripMicros of(Histogram histogram) {
        return new RoundTripMicros(
                histogram.getValueAtPercentile(50) / NANOS,
                histogram.getValueAtPercentile(99) / NANOS,
                histogram.getValueAtPercentile(99.9) / NANOS);
    }

    /** Of several repetitions the median of each figure. */
    static RoundTripMicros median(List<RoundTripMicros> all) {
        return new RoundTripMicros(
                median(all, RoundTripMicros::p50),
                median(all, RoundTripMicros::p99),
                median(all, RoundTripMicros::p999));
    }

    /** As a JSON tree. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("p50", rounded(p50));
        tree.put("p99", rounded(p99));
        tree.put("p999", rounded(p999));
        return tree;
    }

    private static double median(
            List<RoundTripMicros> all, ToDoubleFunction<RoundTripMicros> figure) {
        return Spread.of(all.stream().mapToDouble(figure).toArray()).median();
    }

    private static double rounded(double micros) {
        return Math.round(micros * NANOS) / NANOS;
    }
}
