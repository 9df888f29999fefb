package org.starling.graph;

/**
 * Takes the edges of one part. Confined to the thread that reads the part. Where the source's ids
 * are texts ({@link SourceDescription#textIds}) edges and vertices are named by what {@link
 * #number} answers, instead of by original ids.
 */
public interface EdgeSink {
    /**
     * An edge.
     *
     * @param source original id, an unsigned number of 64 bits
     * @param target original id, an unsigned number of 64 bits
     * @param weight its weight; ignored where the source has none
     */
    void edge(long source, long target, float weight);

    /** A vertex, perhaps without edges. Only sparse sources need to name them. */
    void vertex(long id);

    /**
     * The number by which this sink, and no other one, is given the vertex whose id is a text. A
     * text's number depends on what came before it.
     *
     * @param utf8 has the text
     * @param offset index of its first byte
     * @param length number of its bytes
     * @throws InvalidInputException with one sentence if it can be no id, see {@link TextId}
     * @throws IllegalStateException if the source has not said that its ids are texts
     */
    default long number(byte[] utf8, int offset, int length) {
        throw new IllegalStateException("the ids of this source are numbers");
    }

    /**
     * An edge with properties.
     *
     * @param values of {@link SourceDescription#edgeProperties}; may be used again afterwards
     */
    default void edge(long source, long target, float weight, PropertyValues values) {
        edge(source, target, weight);
    }

    /**
     * A vertex with properties. A vertex that is named without them, or by its edges alone, has 0,
     * false and empty strings; one that is named with them twice fails the build.
     *
     * @param values of {@link SourceDescription#vertexProperties}; may be used again afterwards
     */
    default void vertex(long id, PropertyValues values) {
        vertex(id);
    }
}
