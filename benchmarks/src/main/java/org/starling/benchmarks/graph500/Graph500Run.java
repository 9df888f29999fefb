package org.starling.benchmarks.graph500;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Everything that was measured in a valid run.
 *
 * @param scale logarithm of the number of vertices
 * @param edgeFactor edges per vertex
 * @param peers number of peers
 * @param processes true if each peer was a process of its own
 * @param generationSeconds time until the edges were in memory
 * @param constructionSeconds kernel 1
 * @param validated whether construction and searches were checked
 * @param searches the timed searches, in the order of keys, at least one
 */
record Graph500Run(
        int scale,
        long edgeFactor,
        int peers,
        boolean processes,
        double generationSeconds,
        double constructionSeconds,
        boolean validated,
        List<Search> searches) {

    /** What stands for the time of a validation that was skipped. */
    static final double NOT_VALIDATED = -1;

    Graph500Run {
        searches = List.copyOf(searches);
    }

    /**
     * A timed search.
     *
     * @param key original id of the root
     * @param seconds kernel 2
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
        return searches.stream().mapToDouble(figure).toArray();
    }
}
