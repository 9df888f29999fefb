package org.starling.algorithms.betweenness;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the program that sums dependencies over sources. */
public final class BetweennessProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.betweenness";

    /** Parameter: ordinals of the sources; all vertices if it is not given. */
    public static final String SOURCES = "sources";

    /** Parameter: what sums are multiplied by in the end. */
    public static final String FACTOR = "factor";

    /** Parameter: whether what some sources add is judged. */
    public static final String VERIFY = "verify";

    /** Name of the {@code double} state it leaves. */
    public static final String BETWEENNESS = "betweenness";

    /** Aggregate of the last superstep: sum of the state. */
    public static final String SUM = "sum";

    /** Aggregate of the last superstep: largest number of shortest paths between two vertices. */
    public static final String MOST_PATHS = "mostPaths";

    /**
     * Aggregate of the last superstep: smallest ordinal that a judged source gave a false share.
     */
    public static final String FALSE_SHARE = "falseShare";

    /** For the service loader. */
    public BetweennessProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new BetweennessProgram(
                parameters.has(SOURCES) ? parameters.integers(SOURCES) : null,
                parameters.number(FACTOR),
                parameters.flag(VERIFY));
    }
}
