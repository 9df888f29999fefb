package org.starling.algorithms;

import org.starling.algorithms.sssp.SsspCheckProgram;
import org.starling.algorithms.sssp.SsspProgram;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Shortest paths from one vertex, along (outgoing) edges whose weights are not negative; in a graph
 * without weights every edge has weight 1.
 *
 * <p>Leaves a {@code float} state ({@value #DISTANCE}, or as it is named): length of a shortest
 * path from the source, added up edge by edge in {@code float}; infinite where there is none. An
 * edge of infinite weight leads nowhere, and so does a path whose length is beyond {@code float};
 * −0 is 0. If asked for, it leaves the {@code long} state {@value #PARENT}, too: ordinal of the
 * vertex before this one on such a path (the source's parent is itself, -1 where there is no path).
 * Both are the same for any number of peers and threads: of several parents the nearer ones go
 * first, then the smallest ordinal.
 *
 * <p>Source: delta-stepping (Meyer, Sanders 2003; Chakaravarthy et al. 2014). A search looks at
 * each edge about once, and at weights once more before it.
 */
public final class Sssp {
    /** Name of the state that holds distances, if no other is given. */
    public static final String DISTANCE = SsspProgram.DISTANCE;

    /** Name of the state that holds parents. */
    public static final String PARENT = SsspProgram.PARENT;

    /** Mean weights per mean degree that the first epoch goes. */
    private static final double WIDTH_FACTOR = 6;

    private Sssp() {}

    /**
     * What a search leaves beside its result.
     *
     * @param state name of the state of distances
     * @param parents whether to leave the state of parents
     * @param verify whether to check the result afterwards, which costs one look at every edge
     */
    public record Options(String state, boolean parents, boolean verify) {
        /** Distances under their usual name, nothing else. */
        public static final Options DEFAULT = new Options(DISTANCE, false, false);
    }

    /**
     * What a search found.
     *
     * @param source original id of the vertex it started from
     * @param reached number of vertices reached, the source included
     * @param maxDistance largest distance of a vertex reached
     * @param sumDistance sum of the distances of all vertices reached, added up in {@code double}
     * @param verified whether the result was checked
     */
    public record Result(
            long source, long reached, double maxDistance, double sumDistance, boolean verified) {}

    /**
     * Searches.
     *
     * @param source original id of the vertex to start from
     * @throws InvalidInputException if the graph has no such vertex, or an edge whose weight is
     *     negative or no number
     * @throws JobFailedException if the check finds the result wrong
     */
    public static Result run(GraphSession session, String graph, long source, Options options) {
        if (options.parents() && options.state().equals(PARENT)) {
            throw new InvalidInputException(
                    "distances and parents cannot both be left as \"%s\"; name the state otherwise"
                            .formatted(PARENT));
        }
        Parameters states = Parameters.of(SsspProgram.SOURCE, source);
        states = states.with(SsspProgram.STATE, options.state());
        if (options.parents()) {
            states = states.with(SsspProgram.PARENTS, PARENT);
        }
        double width = firstWidth(session, graph);
        RunResult run = session.run(graph, SsspProgram.NAME, states.with(SsspProgram.WIDTH, width));
        if (options.verify()) {
            require(session, graph, states);
        }
        return new Result(
                source,
                run.longAggregate(SsspProgram.REACHED),
                run.doubleAggregate(SsspProgram.MAX_DISTANCE),
                run.doubleAggregate(SsspProgram.SUM_DISTANCE),
                options.verify());
    }

    /**
     * Looks at all weights, and finds the range of distances that a search should work at first.
     *
     * @throws InvalidInputException if a weight is negative or no number
     */
    static double firstWidth(GraphSession session, String graph) {
        GraphInfo info = session.info(graph);
        EdgeWeights weights = EdgeWeights.of(session, graph, "shortest paths");
        double mean = weights.finite() == 0 ? 1 : weights.sum() / weights.finite();
        double degree = (double) Math.max(1, info.storedEdges()) / Math.max(1, info.vertices());
        return Math.clamp(WIDTH_FACTOR * mean / degree, Float.MIN_NORMAL, Float.MAX_VALUE / 2);
    }

    /** Checks the states that parameters of a search name. */
    static void require(GraphSession session, String graph, Parameters states) {
        RunResult run = session.run(graph, SsspCheckProgram.NAME, states);
        Verdict verdict = new Verdict(session, graph, "shortest paths", run);
        verdict.nobody(SsspCheckProgram.FALSE_DISTANCE, "has a distance that is none");
        verdict.nobody(SsspCheckProgram.FALSE_EDGE, "would be nearer over a neighbour");
        verdict.nobody(SsspCheckProgram.FALSE_ORPHAN, "has a parent although it was not reached");
        verdict.nobody(
                SsspCheckProgram.FALSE_ROOT,
                "is its own parent but not the source, or the source but not its own parent");
        verdict.nobody(
                SsspCheckProgram.GROUNDLESS, "has a distance that no path from the source has");
        long roots = run.longAggregate(SsspCheckProgram.ROOTS);
        verdict.all(roots == 1, "the source does not have distance 0");
    }
}
