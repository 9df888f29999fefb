package org.starling.algorithms.walks;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class WalkPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                Map.entry(WalkCheck.NAME, WalkCheck::new),
                Map.entry(WalkProgram.NAME, WalkProgram::new));
    }
}
