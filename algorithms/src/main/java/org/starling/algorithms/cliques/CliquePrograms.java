package org.starling.algorithms.cliques;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class CliquePrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                CliqueBoundProgram.NAME,
                p ->
                        new CliqueBoundProgram(
                                Math.toIntExact(p.integer(CliqueBoundProgram.SIZE)),
                                (float) p.number(CliqueBoundProgram.LINK_WEIGHT),
                                p.integer(CliqueBoundProgram.MAX_CALLS)),
                CliqueMembersCheck.NAME,
                p -> new CliqueMembersCheck(),
                CliquesProgram.NAME,
                p ->
                        new CliquesProgram(
                                Math.toIntExact(p.integer(CliquesProgram.MINIMUM_SIZE)),
                                p.flag(CliquesProgram.WRITE),
                                p.flag(CliquesProgram.VERIFY),
                                p.integer(CliquesProgram.SEED),
                                p.integer(CliquesProgram.MAX_CALLS, CliquesProgram.MOST_CALLS)),
                MaximumProgram.NAME,
                p -> new MaximumProgram());
    }
}
