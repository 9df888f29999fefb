package org.starling.algorithms.triangles;

import org.starling.algorithms.orientation.Sample;

/**
 * Draws the vertices at which checkers count again: about {@link #VERTICES} of a large graph, all
 * of a small one, fewer among those of high degree. Immutable.
 */
final class VertexSample {
    /** Expected number of vertices that are counted again. */
    static final int VERTICES = 2048;

    /** Vertices of a higher degree are drawn more rarely, by the factor below. */
    static final int HIGH_DEGREE = 512;

    /** One of so many sampled vertices of high degree is counted again. */
    static final int HIGH_DEGREE_ONE_IN = 32;

    private final Sample sample;

    /** A sample; another seed gives another one. */
    VertexSample(long seed) {
        this.sample = new Sample(seed);
    }

    /** True if a vertex of that degree, in a graph of so many vertices, is among them. */
    boolean takes(long vertex, long degree, long vertices) {
        long oneIn = Math.max(1, vertices / VERTICES);
        return sample.takes(vertex, oneIn)
                && (degree <= HIGH_DEGREE
                        || oneIn == 1
                        || sample.takes(~vertex, HIGH_DEGREE_ONE_IN));
    }
}
