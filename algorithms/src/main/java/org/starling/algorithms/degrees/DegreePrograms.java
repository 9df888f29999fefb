package org.starling.algorithms.degrees;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class DegreePrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(Map.entry(DegreeCensus.NAME, DegreeCensus::new));
    }
}
