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

    /** State ({@code int}): 1 for members of the clique, 0 for others. */
    public static final String MEMBER = "maximumClique";

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
        return new MaximumProgram((float) parameters.number(LINK_WEIGHT));
    }
}
