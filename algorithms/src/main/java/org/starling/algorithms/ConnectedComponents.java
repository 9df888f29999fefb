package org.starling.algorithms;

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
 * <p>Three programs in turn: {@link ComponentsHub} looks for a vertex that is likely to lie in the
 * largest component, {@link ComponentsProgram} floods that component and labels the others, {@link
 * ComponentsCensus} names the flooded component and counts.
 */
public final class ConnectedComponents {
    /** Name of the state that holds components. */
    public static final String COMPONENT = "component";

    /** Name of the state that holds the supersteps in which vertices joined their components. */
    public static final String STEP = "componentStep";

    private ConnectedComponents() {}

    /**
     * What was found.
     *
     * @param components number of components; an isolated vertex is one
     * @param largest number of vertices in the largest one
     */
    public record Result(long components, long largest) {}

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
        long hub = ComponentsHub.find(session, graph);
        session.run(graph, ComponentsProgram.NAME, Parameters.of(ComponentsProgram.HUB, hub));
        RunResult census = session.run(graph, ComponentsCensus.NAME, Parameters.NONE);
        if (verify) {
            ComponentsCheck.require(session, graph);
        }
        return new Result(
                census.longAggregate(ComponentsCensus.COMPONENTS),
                census.longAggregate(ComponentsCensus.LARGEST));
    }
}
