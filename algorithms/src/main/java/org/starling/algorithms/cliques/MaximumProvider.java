package org.starling.algorithms.cliques;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the program that finds a largest clique. */
public final class MaximumProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.maximumclique";

    /**
     * Parameter: cliques must hang together by edges of at least that weight; 0 if any edge will
     * do.
     */
    public static final String LINK_WEIGHT = "linkWeight";

    /** Parameter: whether a sample of sub-problems is to be solved again. */
    public static final String VERIFY = "verify";

    /** Parameter: what the sample depends on. */
    public static final String SEED = "seed";

    /** State ({@code int}): 1 for members of the clique, 0 for others. */
    public static final String MEMBER = "maximumClique";

    /** Aggregate: sub-problems of the sample that have a larger clique. */
    public static final String LARGER = "largerCliques";

    /** Histogram with one bucket: calls of the search. */
    public static final String CALLS = "calls";

    /** For the service loader. */
    public MaximumProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new MaximumProgram(
                (float) parameters.number(LINK_WEIGHT),
                parameters.flag(VERIFY),
                parameters.integer(SEED));
    }
}
