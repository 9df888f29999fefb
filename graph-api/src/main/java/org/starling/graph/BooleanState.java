package org.starling.graph;

/**
 * A column holding one {@code boolean} per vertex, indexed by the vertex's ordinal. The rules of
 * {@link IntState} hold for it, too.
 */
public interface BooleanState {
    /** Value of the vertex with this ordinal, which must belong to the shard being computed. */
    boolean get(long ordinal);

    /**
     * Sets the value of the vertex with this ordinal, which must belong to the shard being
     * computed.
     */
    void set(long ordinal, boolean value);

    /** Value of {@code v}. */
    default boolean get(Vertex v) {
        return get(v.ordinal());
    }

    /** Sets the value of {@code v}. */
    default void set(Vertex v, boolean value) {
        set(v.ordinal(), value);
    }
}
