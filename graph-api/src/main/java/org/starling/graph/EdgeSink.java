package org.starling.graph;

/** Takes the edges of one part. Confined to the thread that reads the part. */
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
