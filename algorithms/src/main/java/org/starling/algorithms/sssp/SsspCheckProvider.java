package org.starling.algorithms.sssp;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the check of a search's states. */
public final class SsspCheckProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.sssp.check";

    /** Aggregate: smallest ordinal whose distance is negative or no number. */
    public static final String FALSE_DISTANCE = "falseDistance";

    /** Aggregate: smallest ordinal of another vertex than the source at the root of a tree. */
    public static final String FALSE_ROOT = "falseRoot";

    /** Aggregate: smallest ordinal that a neighbour would bring nearer. */
    public static final String FALSE_EDGE = "falseEdge";

    /** Aggregate: smallest ordinal that no path from the source explains. */
    public static final String GROUNDLESS = "groundless";

    /** Aggregate: smallest ordinal that was not reached and has a parent all the same. */
    public static final String FALSE_ORPHAN = "falseOrphan";

    /** Aggregate: vertices that are the source, with distance 0: one. */
    public static final String ROOTS = "roots";

    /** For the service loader. */
    public SsspCheckProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    /** Parameters: those of {@link SsspProvider}, but for the width. */
    @Override
    public Program create(Parameters parameters) {
        return new SsspCheckProgram(
                parameters.integer(SsspProvider.SOURCE),
                parameters.has(SsspProvider.STATE)
                        ? parameters.text(SsspProvider.STATE)
                        : SsspProvider.DISTANCE,
                parameters.has(SsspProvider.PARENTS) ? parameters.text(SsspProvider.PARENTS) : "");
    }
}
