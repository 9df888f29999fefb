package org.starling.algorithms.sssp;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class SsspPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                SsspCheckProgram.NAME,
                p ->
                        new SsspCheckProgram(
                                p.integer(SsspProgram.SOURCE),
                                p.text(SsspProgram.STATE, SsspProgram.DISTANCE),
                                p.text(SsspProgram.PARENTS, "")),
                SsspProgram.NAME,
                p ->
                        new SsspProgram(
                                p.integer(SsspProgram.SOURCE),
                                p.text(SsspProgram.STATE, SsspProgram.DISTANCE),
                                p.text(SsspProgram.PARENTS, ""),
                                (float) p.number(SsspProgram.WIDTH, SsspProgram.DEFAULT_WIDTH)),
                WeightsProgram.NAME,
                p -> new WeightsProgram());
    }
}
