package org.starling.algorithms.components;

import static java.util.Map.entry;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class ComponentPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                entry(SccAlone.NAME, p -> new SccAlone()),
                entry(ComponentsCensus.NAME, p -> new ComponentsCensus()),
                entry(ComponentsCheck.NAME, p -> new ComponentsCheck()),
                entry(
                        ComponentsProgram.NAME,
                        p -> new ComponentsProgram(p.integer(ComponentsProgram.HUB))),
                entry(SccCheck.NAME, p -> new SccCheck()),
                entry(SccColour.NAME, p -> new SccColour()),
                entry(SccFlood.NAME, p -> new SccFlood()),
                entry(SccOrderCheck.NAME, p -> new SccOrderCheck()),
                entry(SccTrim.NAME, p -> new SccTrim()));
    }
}
