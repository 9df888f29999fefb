package org.starling.graph;

/**
 * A column of published {@code int} values, one per vertex, that every vertex may read.
 *
 * <p>A value published in one superstep can be read from the next one on, at any vertex, until it
 * is published anew. Only what was published travels, at most once to each node.
 */
public interface IntMirror {
    /**
     * Publishes a value for the next superstep.
     *
     * @param ordinal a vertex of the shard being computed
     */
    void publish(long ordinal, int value);

    /**
     * Value that the vertex with this ordinal had published before this superstep began; the
     * initial value if none.
     */
    int read(long ordinal);

    /** Publishes a value of {@code v} for the next superstep. */
    default void publish(Vertex v, int value) {
        publish(v.ordinal(), value);
    }
}
