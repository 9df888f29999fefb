package org.starling.algorithms.betweenness;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class BetweennessPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                Map.entry(BetweennessCheckProgram.NAME, BetweennessCheckProgram::new),
                Map.entry(BetweennessProgram.NAME, BetweennessProgram::new));
    }
}
