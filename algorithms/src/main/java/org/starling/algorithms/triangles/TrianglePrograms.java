package org.starling.algorithms.triangles;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class TrianglePrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                Map.entry(ArcClusteringProgram.NAME, _ -> new ArcClusteringProgram()),
                Map.entry(ClusteringCheck.NAME, ClusteringCheck::new),
                Map.entry(TrianglesProgram.NAME, _ -> new TrianglesProgram()));
    }
}
