package org.starling.loaders;

import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** Sizes of generated graphs: reads them from parameters and holds their bounds. */
final class GraphSize {

    /** Smallest scale: two vertices. */
    static final int MIN_SCALE = 1;

    /** Largest scale: ids stay below 2⁴², edge numbers below 2⁶². */
    static final int MAX_SCALE = 42;

    /** Largest number of edges per vertex. */
    static final long MAX_EDGE_FACTOR = 1L << 20;

    /** Edges per vertex where none are given. */
    static final long DEFAULT_EDGE_FACTOR = 16;

    /** First seed of the benchmark. */
    static final long SEED1 = 2;

    /** Second seed of the benchmark. */
    static final long SEED2 = 3;

    /** Edges or vertices of a part, unless that makes more than {@link #MAX_PARTS}. */
    static final long PART_ITEMS = 1 << 17;

    /** Largest number of parts. */
    static final long MAX_PARTS = 1 << 20;

    private GraphSize() {}

    /** The parameter {@code scale}. */
    static int scale(Parameters parameters) {
        if (!parameters.has("scale")) {
            throw new InvalidInputException(
                    "a generated graph needs \"scale\", the logarithm of its number of vertices");
        }
        long scale = parameters.integer("scale");
        checkScale(scale);
        return (int) scale;
    }

    /** The parameter {@code edgefactor}. */
    static long edgeFactor(Parameters parameters) {
        long edgeFactor = parameters.integer("edgefactor", DEFAULT_EDGE_FACTOR);
        checkEdgeFactor(edgeFactor);
        return edgeFactor;
    }

    /** The parameter {@code seeds}: two words. */
    static long[] seeds(Parameters parameters) {
        if (!parameters.has("seeds")) {
            return new long[] {SEED1, SEED2};
        }
        long[] seeds = parameters.integers("seeds");
        if (seeds.length != 2) {
            throw new InvalidInputException(
                    "\"seeds\" must be two numbers, found %d: write [%d, %d] for the benchmark's"
                            .formatted(seeds.length, SEED1, SEED2));
        }
        return seeds;
    }

    /** Throws unless both are within bounds. */
    static void check(long scale, long edgeFactor) {
        checkScale(scale);
        checkEdgeFactor(edgeFactor);
    }

    /** How many of {@code items} a part has. */
    static long partItems(long items) {
        return Math.max(PART_ITEMS, Math.ceilDiv(items, MAX_PARTS));
    }

    /** In how many parts {@code items} are cut. */
    static int parts(long items) {
        return (int) Math.max(1, Math.ceilDiv(items, partItems(items)));
    }

    private static void checkScale(long scale) {
        if (scale < MIN_SCALE || scale > MAX_SCALE) {
            throw new InvalidInputException(
                    "\"scale\" must be from %d to %d (the graph has 2^scale vertices), found %d"
                            .formatted(MIN_SCALE, MAX_SCALE, scale));
        }
    }

    private static void checkEdgeFactor(long edgeFactor) {
        if (edgeFactor < 1 || edgeFactor > MAX_EDGE_FACTOR) {
            throw new InvalidInputException(
                    "\"edgefactor\" must be from 1 to %d (edges per vertex), found %d"
                            .formatted(MAX_EDGE_FACTOR, edgeFactor));
        }
    }
}
