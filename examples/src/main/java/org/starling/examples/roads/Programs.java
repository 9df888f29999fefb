package org.starling.examples.roads;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** Makes the instances of this job's programs. META-INF/services names this class. */
public final class Programs implements ProgramProvider {
    static final String SHORTEST_PATHS = "roads.shortestPaths";

    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(
                SHORTEST_PATHS, parameters -> new ShortestPaths(parameters.integer("source")));
    }
}
