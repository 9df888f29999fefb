package org.starling.algorithms.betweenness;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class BetweennessPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                BetweennessCheckProgram.NAME,
                p ->
                        new BetweennessCheckProgram(
                                p.has(BetweennessProgram.SOURCES)
                                        ? p.integers(BetweennessProgram.SOURCES)
                                        : null),
                BetweennessProgram.NAME,
                p ->
                        new BetweennessProgram(
                                p.has(BetweennessProgram.SOURCES)
                                        ? p.integers(BetweennessProgram.SOURCES)
                                        : null,
                                p.number(BetweennessProgram.FACTOR),
                                p.flag(BetweennessProgram.VERIFY)));
    }
}
