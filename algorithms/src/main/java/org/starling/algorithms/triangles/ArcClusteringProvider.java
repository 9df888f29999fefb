package org.starling.algorithms.triangles;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the program that finds clustering in directed graphs; it takes no parameters. */
public final class ArcClusteringProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.arcClustering";

    /** For the service loader. */
    public ArcClusteringProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new ArcClusteringProgram();
    }
}
