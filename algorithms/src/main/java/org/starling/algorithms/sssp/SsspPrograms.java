package org.starling.algorithms.sssp;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class SsspPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                Map.entry(SsspCheckProgram.NAME, SsspCheckProgram::new),
                Map.entry(SsspProgram.NAME, SsspProgram::new),
                Map.entry(WeightsProgram.NAME, _ -> new WeightsProgram()));
    }
}
