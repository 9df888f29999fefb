package org.starling.algorithms.groups;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class GroupPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(Map.entry(GroupCensus.NAME, GroupCensus::new));
    }
}
