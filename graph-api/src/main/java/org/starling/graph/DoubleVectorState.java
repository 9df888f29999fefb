package org.starling.graph;

/**
 * A column holding as many {@code double} elements for each vertex as the vector is long, indexed
 * by the vertex's ordinal. The rules of {@link DoubleState} hold for it, too.
 */
public interface DoubleVectorState {
    /** Number of elements of each vertex. */
    int length();

    /**
     * An element of the vertex with this ordinal, which must belong to the shard being computed.
     *
     * @param index from 0 on, below {@link #length()}
     */
    double get(long ordinal, int index);

    /**
     * Sets an element of the vertex with this ordinal, which must belong to the shard being
     * computed.
     */
    void set(long ordinal, int index, double value);

    /** An element of {@code v}. */
    default double get(Vertex v, int index) {
        return get(v.ordinal(), index);
    }

    /** Sets an element of {@code v}. */
    default void set(Vertex v, int index, double value) {
        set(v.ordinal(), index, value);
    }
}
