package org.starling.graph;

/**
 * A column holding one {@code long} per vertex, indexed by the vertex's ordinal.
 *
 * <p>Only vertices of the shard that is being computed may be read or written; to let neighbours
 * read a value, publish it through a mirror. Columns outlive the program: they stay with the graph
 * under their name until it is dropped.
 */
public interface LongState {
    /** Value of the vertex with this ordinal, which must belong to the shard being computed. */
    long get(long ordinal);

    /**
     * Sets the value of the vertex with this ordinal, which must belong to the shard being
     * computed.
     */
    void set(long ordinal, long value);

    /** Value of {@code v}. */
    default long get(Vertex v) {
        return get(v.ordinal());
    }

    /** Sets the value of {@code v}. */
    default void set(Vertex v, long value) {
        set(v.ordinal(), value);
    }
}
