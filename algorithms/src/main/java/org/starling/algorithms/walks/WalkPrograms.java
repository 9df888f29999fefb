package org.starling.algorithms.walks;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class WalkPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                WalkCheck.NAME,
                p ->
                        new WalkCheck(
                                p.integers(WalkCheck.ENDS),
                                p.integers(WalkCheck.SINKS),
                                p.flag(WalkProgram.WEIGHTED)),
                WalkProgram.NAME,
                p ->
                        new WalkProgram(
                                Math.toIntExact(p.integer(WalkProgram.LENGTH)),
                                Math.toIntExact(p.integer(WalkProgram.WALKS_PER_VERTEX)),
                                p.integer(WalkProgram.SEED),
                                p.flag(WalkProgram.WEIGHTED)));
    }
}
