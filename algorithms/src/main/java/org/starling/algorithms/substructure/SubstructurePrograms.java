package org.starling.algorithms.substructure;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class SubstructurePrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                SubstructureProgram.NAME,
                p ->
                        new SubstructureProgram(
                                p.integers(ProductSource.FIRST),
                                p.integers(ProductSource.SECOND),
                                p.integers(ProductSource.FIRST_EDGES),
                                p.integers(ProductSource.SECOND_EDGES),
                                p.flag(SubstructureProgram.CONNECTED)));
    }
}
