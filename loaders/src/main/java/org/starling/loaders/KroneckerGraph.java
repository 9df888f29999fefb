package org.starling.loaders;

import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/**
 * Which Kronecker graph of Graph500 is meant. Immutable.
 *
 * @param scale logarithm of the number of vertices, 1 to 42
 * @param edgeFactor edges per vertex, 1 to 2²⁰
 * @param seed1 first seed, an unsigned word; the benchmark's is 2
 * @param seed2 second seed, an unsigned word; the benchmark's is 3
 */
public record KroneckerGraph(int scale, long edgeFactor, long seed1, long seed2) {

    /**
     * Checks the sizes.
     *
     * @throws InvalidInputException if one is out of range
     */
    public KroneckerGraph {
        GraphSize.check(scale, edgeFactor);
    }

    /**
     * The graph that {@code scale}, {@code edgefactor} (16) and {@code seeds} ([2, 3]) name.
     *
     * @throws InvalidInputException if one is missing or out of range
     */
    public static KroneckerGraph of(Parameters parameters) {
        long[] seeds = GraphSize.seeds(parameters);
        return new KroneckerGraph(
                GraphSize.scale(parameters), GraphSize.edgeFactor(parameters), seeds[0], seeds[1]);
    }

    /** Number of vertices, some of which may be without edges. */
    public long vertices() {
        return 1L << scale;
    }

    /** Number of edges, self-loops and duplicates included. */
    public long edges() {
        return edgeFactor << scale;
    }
}
