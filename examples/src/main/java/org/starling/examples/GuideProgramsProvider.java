package org.starling.examples;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** Makes the instances of the programs that {@code docs/guide/programs.md} shows. */
public final class GuideProgramsProvider implements ProgramProvider {
    static final String TWO_SWEEPS = "examples.twoSweeps";
    static final String SECOND_PRICE = "examples.secondPrice";
    static final String EMBEDDING = "examples.embedding";

    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                TWO_SWEEPS,
                parameters -> new TwoSweeps(parameters.integer("source")),
                SECOND_PRICE,
                parameters -> new SecondPrice(),
                EMBEDDING,
                parameters -> new Embedding());
    }
}
