package org.starling.algorithms.sssp;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the program that looks at all weights; it takes no parameters. */
public final class WeightsProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.sssp.weights";

    /** Aggregate: smallest ordinal with an edge whose weight is negative or no number. */
    public static final String FIRST_BAD = "firstBad";

    /** Aggregate: number of stored edges with a finite weight; 0 in a graph without weights. */
    public static final String FINITE = "finite";

    /** Aggregate: sum of these weights. */
    public static final String SUM = "sum";

    /** For the service loader. */
    public WeightsProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new WeightsProgram();
    }
}
