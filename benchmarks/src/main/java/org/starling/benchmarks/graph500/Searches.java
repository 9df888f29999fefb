package org.starling.benchmarks.graph500;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The timed searches of a kernel.
 *
 * @param all in the order of keys, at least one
 */
record Searches(List<Search> all) {

    /** What stands for the time of a validation that was skipped. */
    static final double NOT_VALIDATED = -1;

    Searches {
        all = List.copyOf(all);
    }

    /**
     * A timed search.
     *
     * @param key original id of the root
     * @param seconds time of the kernel
     * @param edges edges of the input in the root's component, duplicates included, self-loops not
     * @param validationSeconds time of the check, or {@link #NOT_VALIDATED}
     */
    record Search(long key, double seconds, long edges, double validationSeconds) {}

    /** Times of the searches, in seconds. */
    Statistics times() {
        return statistics(Search::seconds);
    }

    /** Edges of the searches. */
    Statistics edges() {
        return statistics(Search::edges);
    }

    /** Times of the checks, in seconds. */
    Statistics validationTimes() {
        return statistics(Search::validationSeconds);
    }

    /** Traversed edges per second; the mean is the harmonic one. */
    Statistics teps() {
        return Statistics.ofRates(sample(search -> search.seconds() / search.edges()));
    }

    private Statistics statistics(ToDoubleFunction<Search> figure) {
        return Statistics.of(sample(figure));
    }

    private double[] sample(ToDoubleFunction<Search> figure) {
        return all.stream().mapToDouble(figure).toArray();
    }
}
