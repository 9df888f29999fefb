package org.starling.algorithms.betweenness;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the check of scores; its parameter is {@link BetweennessProvider#SOURCES}. */
public final class BetweennessCheckProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.betweenness.check";

    /** Aggregate: smallest ordinal with a score that is negative or no number. */
    public static final String FALSE_SCORE = "falseScore";

    /** Aggregate: smallest ordinal that ends every path to it, and has a score all the same. */
    public static final String FALSE_END = "falseEnd";

    /** Aggregate: sum of all scores. */
    public static final String SUM = "sum";

    /** Aggregate: vertices between sources and those they reach, in all. */
    public static final String BETWEEN = "between";

    /** For the service loader. */
    public BetweennessCheckProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new BetweennessCheckProgram(
                parameters.has(BetweennessProvider.SOURCES)
                        ? parameters.integers(BetweennessProvider.SOURCES)
                        : null);
    }
}
