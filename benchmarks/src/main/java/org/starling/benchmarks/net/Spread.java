package org.starling.benchmarks.net;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A figure over several repetitions.
 *
 * @param min the smallest
 * @param median the one in the middle, or the mean of the two in the middle
 * @param max the largest
 */
record Spread(double min, double median, double max) {
    /**
     * Of some figures.
     *
     * @param values one of each repetition, at least one
     */
    static Spread of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("there are no figures");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int upper = sorted.length / 2;
        int lower = (sorted.length - 1) / 2;
        return new Spread(
                sorted[0], (sorted[lower] + sorted[upper]) / 2, sorted[sorted.length - 1]);
    }

    /** As a JSON tree of whole numbers. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("min", Math.round(min));
        tree.put("median", Math.round(median));
        tree.put("max", Math.round(max));
        return tree;
    }
}
