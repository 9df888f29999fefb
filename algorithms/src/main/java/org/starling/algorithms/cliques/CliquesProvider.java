package org.starling.algorithms.cliques;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the program that finds maximal cliques. */
public final class CliquesProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.cliques";

    /** Parameter: integer, smaller cliques are neither counted nor written. */
    public static final String MINIMUM_SIZE = "minimumSize";

    /** Parameter: flag, whether the output {@link #CLIQUES} is wanted. */
    public static final String WRITE = "write";

    /** Parameter: flag, whether a sample of what is found is checked. */
    public static final String VERIFY = "verify";

    /** Parameter: the integer that the sample depends on. */
    public static final String SEED = "seed";

    /** Output: one clique per line. */
    public static final String CLIQUES = "cliques";

    /** Parameter: calls of the search before a sub-problem is shared; has a default. */
    public static final String MAX_CALLS = "maxCalls";

    /** Histogram: number of cliques by size. */
    public static final String SIZES = "cliqueSizes";

    /** Aggregate: number of cliques. */
    public static final String FOUND = "cliquesFound";

    /** Aggregate: cliques of the sample that are none, or not maximal. */
    public static final String WRONG = "wrongCliques";

    /** Aggregate: sub-problems that were solved twice. */
    public static final String RECOUNTED = "recountedProblems";

    /** Aggregate: those of them where the two solutions have different numbers of cliques. */
    public static final String MISCOUNTED = "miscountedProblems";

    /** For the service loader. */
    public CliquesProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new CliquesProgram(
                Math.toIntExact(parameters.integer(MINIMUM_SIZE)),
                parameters.flag(WRITE),
                parameters.flag(VERIFY),
                parameters.integer(SEED),
                parameters.integer(MAX_CALLS, CliquesProgram.MAX_CALLS));
    }
}
