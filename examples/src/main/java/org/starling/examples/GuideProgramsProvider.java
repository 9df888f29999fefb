package org.starling.examples;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/**
 * Makes the instances of the programs that {@code docs/guide/programs.md} and {@code
 * docs/guide/structures.md} show.
 */
public final class GuideProgramsProvider implements ProgramProvider {
    static final String TWO_SWEEPS = "examples.twoSweeps";
    static final String SECOND_PRICE = "examples.secondPrice";
    static final String CONTRACTION = "examples.contraction";
    static final String EMBEDDING = "examples.embedding";
    static final String HUBS = "examples.hubs";
    static final String EARLY_TIES = "examples.earlyTies";

    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                TWO_SWEEPS,
                parameters -> new TwoSweeps(parameters.integer("source")),
                SECOND_PRICE,
                parameters -> new SecondPrice(),
                CONTRACTION,
                parameters -> new Contraction(),
                EMBEDDING,
                parameters -> new Embedding(),
                HUBS,
                parameters -> new Hubs(parameters.integer("many")),
                EARLY_TIES,
                parameters -> new EarlyTies());
    }
}
