package org.starling.algorithms.degrees;

import java.util.Map;
import org.starling.graph.EdgeDirection;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class DegreePrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                DegreeCensus.NAME,
                p ->
                        new DegreeCensus(
                                EdgeDirection.valueOf(p.text(DegreeCensus.DIRECTION)),
                                p.integer(DegreeCensus.FIRST),
                                Math.toIntExact(p.integer(DegreeCensus.WINDOW))));
    }
}
