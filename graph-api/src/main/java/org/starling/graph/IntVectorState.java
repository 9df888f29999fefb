package org.starling.graph;

/**
 * A column holding as many {@code int} elements for each vertex as the vector is long, indexed by
 * the vertex's ordinal. The rules of {@link IntState} hold for it, too.
 */
public interface IntVectorState {
    /** Number of elements of each vertex. */
    int length();

    /**
     * An element of the vertex with this ordinal, which must belong to the shard being computed.
     *
     * @param index from 0 on, below {@link #length()}
     */
    int get(long ordinal, int index);

    /**
     * Sets an element of the vertex with this ordinal, which must belong to the shard being
     * computed.
     */
    void set(long ordinal, int index, int value);

    /** An element of {@code v}. */
    default int get(Vertex v, int index) {
        return get(v.ordinal(), index);
    }

    /** Sets an element of {@code v}. */
    default void set(Vertex v, int index, int value) {
        set(v.ordinal(), index, value);
    }
}
