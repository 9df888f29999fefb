package org.starling.algorithms.scc;

import static java.util.Map.entry;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class SccPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                entry(SccAlone.NAME, p -> new SccAlone()),
                entry(SccCensus.NAME, p -> new SccCensus()),
                entry(SccCheck.NAME, p -> new SccCheck()),
                entry(SccColour.NAME, p -> new SccColour()),
                entry(SccFlood.NAME, p -> new SccFlood()),
                entry(SccOrderCheck.NAME, p -> new SccOrderCheck()),
                entry(SccTrim.NAME, p -> new SccTrim()));
    }
}
