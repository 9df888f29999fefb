package org.starling.algorithms.triangles;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the program that counts triangles; it takes no parameters. */
public final class TrianglesProvider implements ProgramProvider {
    /** Name of the program. */
    public static final String NAME = "algorithms.triangles";

    /** The {@code long} state it leaves: triangles at each vertex. */
    public static final String TRIANGLES = "triangles";

    /** The {@code double} state it leaves: local clustering coefficients. */
    public static final String CLUSTERING = "clustering";

    /** Aggregate: number of triangles, as they were found. */
    public static final String FOUND = "trianglesFound";

    /** Aggregate: sum of the state of triangles. */
    public static final String CORNER_SUM = "cornerSum";

    /** Aggregate: sum of the local clustering coefficients. */
    public static final String CLUSTERING_SUM = "clusteringSum";

    /** For the service loader. */
    public TrianglesProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new TrianglesProgram();
    }
}
