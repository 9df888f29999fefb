package org.starling.algorithms.triangles;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the program that judges clustering found in a directed graph. */
public final class ArcClusteringCheckProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.arcClusteringCheck";

    /** Parameter: the integer that the sample depends on. */
    public static final String SEED = "seed";

    /** Aggregate: smallest ordinal of a vertex that has another coefficient. */
    public static final String FIRST_WRONG = "firstWrong";

    /** For the service loader. */
    public ArcClusteringCheckProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new ArcClusteringCheck(parameters.integer(SEED));
    }
}
