package org.starling.algorithms;

import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.triangles.ArcClusteringProgram;
import org.starling.algorithms.triangles.ClusteringCheck;
import org.starling.algorithms.triangles.TrianglesProgram;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Local clustering coefficients: of the edges that could be between a vertex's neighbours, the
 * share that is there; 0 where there are less than two neighbours. In a directed graph neighbours
 * are those at the other end of edges either way, each once, and edges between them count in either
 * direction (LDBC Graphalytics, LCC).
 *
 * <p>Source: D. J. Watts, S. H. Strogatz, "Collective dynamics of small-world networks" (1998), by
 * way of the triangles ({@link Triangles}), which in a directed graph count as many arcs as there
 * are between the other two corners. O(m^1.5). Leaves the state {@value #CLUSTERING} ({@code
 * double}).
 */
public final class LocalClustering {
    /** Name of the state that holds the coefficients. */
    public static final String CLUSTERING = TrianglesProgram.CLUSTERING;

    private static final long CHECK_SEED = 20_261_122L;

    private LocalClustering() {}

    /**
     * What was found.
     *
     * @param average mean of the coefficients of all vertices; 0 for a graph without vertices
     */
    public record Result(double average) {}

    /**
     * Computes the coefficients.
     *
     * @param verify whether to compute those of a sample of vertices again by other means, and to
     *     compare the sums
     * @throws org.starling.graph.InvalidInputException if there is no such graph, or it is too
     *     large
     * @throws org.starling.graph.JobFailedException if a check fails
     */
    public static Result run(GraphSession session, String graph, boolean verify) {
        GraphInfo info = session.info(graph);
        if (!info.directed()) {
            return new Result(Triangles.run(session, graph, verify).averageLocalClustering());
        }
        OrientedGraph.requireFits(info, "clustering");
        RunResult run = session.run(graph, ArcClusteringProgram.NAME, Parameters.NONE);
        double sum = run.doubleAggregate(TrianglesProgram.CLUSTERING_SUM);
        Result result = new Result(info.vertices() == 0 ? 0 : sum / info.vertices());
        if (verify) {
            verify(session, info, result);
        }
        return result;
    }

    /**
     * Judges the result in a directed graph.
     *
     * @throws org.starling.graph.JobFailedException with the first contradiction found
     */
    static void verify(GraphSession session, GraphInfo info, Result result) {
        RunResult check =
                session.run(
                        info.name(),
                        ClusteringCheck.NAME,
                        Parameters.of(ClusteringCheck.SEED, CHECK_SEED));
        Verdict verdict = new Verdict(session, info.name(), "clustering", check);
        verdict.nobody(
                ClusteringCheck.FIRST_WRONG,
                "has another coefficient when edges between its neighbours are counted one by"
                        + " one");
        Triangles.requireAverage(verdict, "coefficients", check, result.average(), info);
    }
}
