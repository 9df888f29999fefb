package org.starling.algorithms.cliques;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class CliquePrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                Map.entry(CliqueBoundProgram.NAME, CliqueBoundProgram::new),
                Map.entry(CliqueMembersCheck.NAME, _ -> new CliqueMembersCheck()),
                Map.entry(CliquesProgram.NAME, CliquesProgram::new),
                Map.entry(MaximumProgram.NAME, _ -> new MaximumProgram()));
    }
}
