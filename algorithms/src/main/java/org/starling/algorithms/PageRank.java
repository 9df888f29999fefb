package org.starling.algorithms;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;

/**
 * PageRank by power iteration. Leaves the state {@value #PAGERANK} ({@code double}, above 0, sum
 * 1).
 *
 * <p>Source: S. Brin, L. Page, "The anatomy of a large-scale hypertextual web search engine"
 * (1998). A vertex without outgoing edges passes its rank to all vertices in equal parts, as
 * Graphalytics and igraph have it. An undirected edge counts as one in either direction.
 */
public final class PageRank {
    /** Name of the state that holds ranks. */
    public static final String PAGERANK = "pagerank";

    /** Smallest tolerance; below it rounding may keep the ranks from ever settling. */
    public static final double MIN_TOLERANCE = 1e-14;

    /** Largest number of best vertices that can be asked for. */
    public static final int MAX_TOP = 1_000_000;

    private PageRank() {}

    /**
     * What is wanted.
     *
     * @param damping share of its rank that a vertex passes along its edges, from 0 to below 1
     * @param iterations number of sweeps; 0 to go on until the tolerance is met
     * @param tolerance without a number of sweeps: stop when the sum over all vertices of what a
     *     sweep has changed is not above this
     * @param top number of best vertices to report
     */
    public record Options(double damping, int iterations, double tolerance, int top) {
        /** Checks that the values make sense. */
        public Options {
            require(damping >= 0 && damping < 1, "damping", damping, "from 0 to below 1");
            require(iterations >= 0, "iterations", iterations, "0 (until tolerance) or more");
            require(
                    iterations > 0 || tolerance >= MIN_TOLERANCE,
                    "tolerance",
                    tolerance,
                    "at least " + MIN_TOLERANCE);
            require(top >= 0 && top <= MAX_TOP, "top", top, "from 0 to " + MAX_TOP);
        }

        private static void require(boolean holds, String name, Number value, String range) {
            if (!holds) {
                throw new InvalidInputException(
                        "PageRank: \"%s\" is %s, must be %s".formatted(name, value, range));
            }
        }
    }

    /**
     * What was computed.
     *
     * @param iterations number of sweeps made
     * @param sum sum of all ranks; 1 but for rounding
     * @param top best vertices, best first, equal ones by ascending id
     */
    public record Result(int iterations, double sum, List<Score> top) {
        /** Copies the list. */
        public Result {
            top = List.copyOf(top);
        }
    }

    /**
     * Computes the ranks.
     *
     * @param verify whether to check the result afterwards, which costs one more sweep
     * @throws JobFailedException if the check finds the result wrong
     */
    public static Result run(GraphSession session, String graph, Options options, boolean verify) {
        Parameters parameters =
                Parameters.of(PageRankProgram.DAMPING, options.damping())
                        .with(PageRankProgram.ITERATIONS, options.iterations())
                        .with(PageRankProgram.TOLERANCE, options.tolerance());
        RunResult run = session.run(graph, PageRankProgram.NAME, parameters);
        int iterations = run.supersteps() - 1;
        if (verify) {
            double change = run.doubleAggregate(PageRankProgram.CHANGE);
            PageRankCheck.require(session, graph, options.damping(), iterations, change);
        }
        return summary(session, graph, iterations, options.top());
    }

    private static Result summary(GraphSession session, String graph, int iterations, int top) {
        Ranking ranking = new Ranking(top);
        DoubleSummaryStatistics sum = new DoubleSummaryStatistics(); // adds with compensation
        try (StateCursor ranks = session.read(graph, PAGERANK)) {
            while (ranks.next()) {
                double rank = ranks.asDouble();
                sum.accept(rank);
                ranking.offer(ranks.id(), rank);
            }
        }
        return new Result(iterations, sum.getSum(), ranking.bestFirst());
    }
}
