package org.starling.algorithms.components;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class ComponentPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                Map.entry(ComponentsCensus.NAME, _ -> new ComponentsCensus()),
                Map.entry(ComponentsCheck.NAME, _ -> new ComponentsCheck()),
                Map.entry(ComponentsProgram.NAME, ComponentsProgram::new),
                Map.entry(SccAlone.NAME, _ -> new SccAlone()),
                Map.entry(SccCheck.NAME, _ -> new SccCheck()),
                Map.entry(SccColour.NAME, _ -> new SccColour()),
                Map.entry(SccFlood.NAME, _ -> new SccFlood()),
                Map.entry(SccOrderCheck.NAME, _ -> new SccOrderCheck()),
                Map.entry(SccTrim.NAME, _ -> new SccTrim()));
    }
}
