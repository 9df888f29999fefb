package org.starling.algorithms;

import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.triangles.ClusteringCheck;
import org.starling.algorithms.triangles.TrianglesProgram;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Counts triangles, in all and at each vertex, with local clustering coefficients.
 *
 * <p>Source: the forward algorithm (Schank and Wagner, WEA 2005; Latapy, 2008) over rows directed
 * by degree, O(m^1.5). Each node holds all edges once (4 bytes each). Leaves the states {@code
 * triangles} ({@code long}) and {@code clustering} ({@code double}; 0 at vertices of degree below
 * 2).
 */
public final class Triangles {
    private static final long CHECK_SEED = 20_260_101L;

    /** Relative difference that the order of summation may make. */
    static final double SUM_TOLERANCE = 1e-9;

    private Triangles() {}

    /**
     * What was found.
     *
     * @param triangles number of triangles in the graph
     * @param averageLocalClustering mean of the local clustering coefficients of all vertices,
     *     those of degree below 2 counting as 0; 0 for a graph without vertices
     */
    public record Result(long triangles, double averageLocalClustering) {}

    /**
     * Counts the triangles of an undirected graph.
     *
     * @param graph name of the graph
     * @param verify whether to count again at a sample of vertices, and to compare the sums
     * @throws org.starling.graph.InvalidInputException if there is no such graph, or it is directed
     *     or too large
     * @throws org.starling.graph.JobFailedException if a check fails
     */
    public static Result run(GraphSession session, String graph, boolean verify) {
        GraphInfo info = session.info(graph);
        Undirected.require(session, graph, "triangle counting");
        OrientedGraph.requireFits(info, "triangle counting");
        RunResult run = session.run(graph, TrianglesProgram.NAME, Parameters.NONE);
        double sum = run.doubleAggregate(TrianglesProgram.CLUSTERING_SUM);
        Result result =
                new Result(
                        run.longAggregate(TrianglesProgram.FOUND),
                        info.vertices() == 0 ? 0 : sum / info.vertices());
        if (verify) {
            verify(session, info, result);
        }
        return result;
    }

    /**
     * Judges a result and the states behind it: at a sample of vertices by counting again, in all
     * by sums.
     *
     * @throws org.starling.graph.JobFailedException with the first contradiction found
     */
    static void verify(GraphSession session, GraphInfo info, Result result) {
        RunResult check =
                session.run(
                        info.name(),
                        ClusteringCheck.NAME,
                        Parameters.of(ClusteringCheck.SEED, CHECK_SEED));
        Verdict verdict = new Verdict(session, info.name(), "triangles", check);
        verdict.nobody(
                ClusteringCheck.FIRST_WRONG,
                "has another number of triangles or another clustering coefficient when counted"
                        + " edge by edge");
        long corners = check.longAggregate(TrianglesProgram.CORNER_SUM);
        verdict.all(
                corners == 3 * result.triangles(),
                "the counts of all vertices add up to %d, not to three times %d"
                        .formatted(corners, result.triangles()));
        requireAverage(
                verdict, "clustering coefficients", check, result.averageLocalClustering(), info);
    }

    /** Compares an average of coefficients with the sum that a check found. */
    static void requireAverage(
            Verdict verdict, String what, RunResult check, double average, GraphInfo info) {
        double sum = check.doubleAggregate(TrianglesProgram.CLUSTERING_SUM);
        double expected = average * info.vertices();
        verdict.all(
                Math.abs(sum - expected) <= SUM_TOLERANCE * Math.max(1, expected),
                "the %s add up to %s, not to %s".formatted(what, sum, expected));
    }
}
