package org.starling.benchmarks.graph500;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.loaders.KroneckerGraph;

/** The programs of this package. */
public final class Graph500Programs implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                ConstructionProgram.NAME,
                        p -> new ConstructionProgram(KroneckerGraph.of(p), p.flag("weights")),
                DistanceValidation.NAME,
                        p -> new DistanceValidation(p.integer(ValidationProgram.ROOT)),
                TraversedEdgesProgram.NAME, p -> new TraversedEdgesProgram(),
                LevelValidation.NAME, p -> new LevelValidation(p.integer(ValidationProgram.ROOT)));
    }
}
