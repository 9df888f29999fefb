package org.starling.algorithms.sssp;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the search. */
public final class SsspProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.sssp";

    /** Parameter: original id of the vertex to start from. */
    public static final String SOURCE = "source";

    /** Parameter: name of the state of distances, {@value #DISTANCE} if not given. */
    public static final String STATE = "state";

    /** Parameter: name of the state of parents; none is left if it is not given. */
    public static final String PARENTS = "parents";

    /** Parameter: range of distances to be worked at first; affects nothing but time. */
    public static final String WIDTH = "width";

    /** Name of the {@code float} state of distances. */
    public static final String DISTANCE = "distance";

    /** Name of the {@code long} state of parents, where nothing else is asked for. */
    public static final String PARENT = "parent";

    /** Aggregate: vertices reached. */
    public static final String REACHED = "reached";

    /** Aggregate: largest distance of a vertex reached. */
    public static final String MAX_DISTANCE = "maxDistance";

    /** Aggregate: sum of the distances of all vertices reached. */
    public static final String SUM_DISTANCE = "sumDistance";

    private static final double DEFAULT_WIDTH = 0.1;

    /** For the service loader. */
    public SsspProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new SsspProgram(
                parameters.integer(SOURCE),
                parameters.has(STATE) ? parameters.text(STATE) : DISTANCE,
                parameters.has(PARENTS) ? parameters.text(PARENTS) : "",
                (float) parameters.number(WIDTH, DEFAULT_WIDTH));
    }
}
