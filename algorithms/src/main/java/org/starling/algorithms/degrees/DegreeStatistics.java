package org.starling.algorithms.degrees;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.starling.algorithms.Verdict;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.Histogram;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * How many edges vertices have. Looks at each vertex once, at no edge; once more for each range of
 * {@link Histogram#MAX_BUCKETS} degrees in which there are any.
 */
public final class DegreeStatistics {
    private static final long NONE = Long.MAX_VALUE;

    private DegreeStatistics() {}

    /**
     * What was found.
     *
     * @param minimum smallest degree
     * @param maximum largest degree
     * @param average sum of all degrees divided by the number of vertices
     * @param histogram number of vertices by degree; degrees that do not occur are left out
     */
    public record Result(
            long minimum, long maximum, double average, SortedMap<Long, Long> histogram) {
        /** Copies the histogram. */
        public Result {
            histogram = Collections.unmodifiableSortedMap(new TreeMap<>(histogram));
        }
    }

    /**
     * Counts.
     *
     * @param direction which edges count; with {@link EdgeDirection#BOTH} in a directed graph the
     *     degree is the sum of the two. Without meaning in an undirected graph
     * @param verify whether to check the sums afterwards
     * @throws org.starling.graph.InvalidInputException if there is no such graph
     * @throws JobFailedException if the check finds the result wrong
     */
    public static Result run(
            GraphSession session, String graph, EdgeDirection direction, boolean verify) {
        return run(session, graph, direction, verify, Histogram.MAX_BUCKETS);
    }

    /**
     * Counts, as many degrees at a time as {@code window} says.
     *
     * @param window at most {@link Histogram#MAX_BUCKETS}
     */
    public static Result run(
            GraphSession session,
            String graph,
            EdgeDirection direction,
            boolean verify,
            int window) {
        SortedMap<Long, Long> histogram = new TreeMap<>();
        long first = 0;
        while (first != NONE) {
            Parameters range =
                    Parameters.of(DegreeCensus.DIRECTION, direction.name())
                            .with(DegreeCensus.FIRST, first)
                            .with(DegreeCensus.WINDOW, window);
            RunResult run = session.run(graph, DegreeCensus.NAME, range);
            long[] counts = run.histogram(DegreeCensus.HISTOGRAM);
            for (int bucket = 0; bucket < counts.length; bucket++) {
                if (counts[bucket] > 0) {
                    histogram.put(first + bucket, counts[bucket]);
                }
            }
            first = run.longAggregate(DegreeCensus.NEXT);
            if (verify && first == NONE) {
                check(
                        new Verdict(session, graph, "degree statistics", run),
                        session.info(graph),
                        direction,
                        histogram);
            }
        }
        long vertices = session.info(graph).vertices();
        double average = vertices == 0 ? 0 : (double) sum(histogram) / vertices;
        return histogram.isEmpty()
                ? new Result(0, 0, 0, histogram)
                : new Result(histogram.firstKey(), histogram.lastKey(), average, histogram);
    }

    /** Each vertex is counted once, and each edge at the ends that count. */
    static void check(
            Verdict verdict, GraphInfo info, EdgeDirection direction, Map<Long, Long> histogram) {
        long counted = histogram.values().stream().mapToLong(Long::longValue).sum();
        verdict.all(
                counted == info.vertices(),
                "%d of %d vertices were counted".formatted(counted, info.vertices()));
        long ends =
                info.directed() && direction == EdgeDirection.BOTH
                        ? 2 * info.edges()
                        : info.storedEdges();
        long sum = sum(histogram);
        verdict.all(
                sum == ends,
                "degrees add up to %d, but edges have %d ends that count".formatted(sum, ends));
    }

    private static long sum(Map<Long, Long> histogram) {
        return histogram.entrySet().stream().mapToLong(e -> e.getKey() * e.getValue()).sum();
    }
}
