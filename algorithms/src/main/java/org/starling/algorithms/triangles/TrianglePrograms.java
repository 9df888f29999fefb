package org.starling.algorithms.triangles;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class TrianglePrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                ArcClusteringCheck.NAME,
                p -> new ArcClusteringCheck(p.integer(ArcClusteringCheck.SEED)),
                ArcClusteringProgram.NAME,
                p -> new ArcClusteringProgram(),
                TrianglesCheck.NAME,
                p -> new TrianglesCheck(p.integer(TrianglesCheck.SEED)),
                TrianglesProgram.NAME,
                p -> new TrianglesProgram());
    }
}
