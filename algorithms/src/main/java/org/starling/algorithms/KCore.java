package org.starling.algorithms;

import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Core numbers of an undirected graph: the largest k such that the vertex belongs to a subgraph in
 * which every vertex has k neighbours or more.
 *
 * <p>Leaves two states: {@value #CORE} ({@code int}: the core number, 0 for isolated vertices) and
 * {@value #ROUND} ({@code int}: superstep in which the vertex was peeled off, the checker's
 * witness).
 */
public final class KCore {
    /** Name of the state that holds core numbers. */
    public static final String CORE = "core";

    /** Name of the state that holds the supersteps in which vertices were peeled off. */
    public static final String ROUND = "coreRound";

    private KCore() {}

    /**
     * What was found.
     *
     * @param maxCore largest core number
     * @param inMaxCore number of vertices that have it
     */
    public record Result(int maxCore, long inMaxCore) {}

    /**
     * Computes the core numbers.
     *
     * @param verify whether to check the result afterwards, which costs one look at every edge
     * @throws org.starling.graph.InvalidInputException if the graph is directed
     * @throws JobFailedException if the check finds the result wrong
     */
    public static Result run(GraphSession session, String graph, boolean verify) {
        Undirected.require(session, graph, "k-core");
        RunResult run = session.run(graph, KCoreProgram.NAME, Parameters.NONE);
        if (verify) {
            KCoreCheck.require(session, graph);
        }
        long[] sizes = run.histogram(KCoreProgram.HISTOGRAM);
        int maxCore = sizes.length - 1;
        return new Result(maxCore, sizes[maxCore]);
    }
}
