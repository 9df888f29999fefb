package org.starling.algorithms.components;

import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Connected components; in a directed graph the weakly connected ones, for which the directions of
 * edges do not count.
 *
 * <p>Leaves two states: {@value #COMPONENT} ({@code long}: smallest ordinal in the vertex's
 * component) and {@value #STEP} ({@code int}: superstep in which the vertex learned where it
 * belongs, the checker's witness).
 *
 * <p>Two programs in turn: {@link ComponentsProgram} floods the component of the first vertex,
 * which is one of those with the most edges and so likely to lie in the largest, and labels the
 * others; {@link ComponentsCensus} names the flooded component and counts.
 */
public final class ConnectedComponents {
    /** Name of the state that holds components. */
    public static final String COMPONENT = "component";

    /** Name of the state that holds the supersteps in which vertices joined their components. */
    public static final String STEP = "componentStep";

    private ConnectedComponents() {}

    /**
     * What was found, of either kind of components.
     *
     * @param components number of components; an isolated vertex is one
     * @param largest number of vertices in the largest one
     */
    public record Result(long components, long largest) {
        /** What the last run of a search says. */
        static Result of(RunResult census) {
            return new Result(
                    census.longAggregate(ComponentsCensus.COMPONENTS),
                    Math.max(0, census.longAggregate(ComponentsCensus.LARGEST)));
        }
    }

    /**
     * Finds the components.
     *
     * @param verify whether to check the result afterwards, which costs one look at every edge
     * @throws JobFailedException if the check finds the result wrong
     */
    public static Result run(GraphSession session, String graph, boolean verify) {
        if (session.info(graph).vertices() == 0) {
            return new Result(0, 0);
        }
        long hub = session.id(graph, 0);
        session.run(graph, ComponentsProgram.NAME, Parameters.of(ComponentsProgram.HUB, hub));
        RunResult census = session.run(graph, ComponentsCensus.NAME, Parameters.NONE);
        if (verify) {
            check(session, graph);
        }
        return Result.of(census);
    }

    /**
     * Checks the states that a run left.
     *
     * @throws JobFailedException if they are wrong
     */
    public static void check(GraphSession session, String graph) {
        ComponentsCheck.require(session, graph);
    }
}
