package org.starling.graph;

/**
 * Values of a column of edges, read while walking the outgoing edges of vertices of the shard that
 * is being computed; in an undirected graph both ends of an edge have the same. They can't be set.
 * Confined to the program instance's thread.
 */
public interface EdgeValues {
    /** What the values are. */
    Property property();

    /**
     * The value of the edge that a cursor stands on, as a whole number: a boolean is 0 or 1, a
     * floating point number is cut; of a vector the first element.
     */
    default long asLong(EdgeCursor edge) {
        return asLong(edge, 0);
    }

    /** The same as a floating point number. */
    default double asDouble(EdgeCursor edge) {
        return asDouble(edge, 0);
    }

    /** Whether the value of the edge that a cursor stands on is true, or a number other than 0. */
    default boolean isTrue(EdgeCursor edge) {
        return asDouble(edge, 0) != 0;
    }

    /**
     * An element of the value of the edge that a cursor stands on.
     *
     * @param element from 0 on, below {@link Property#length}
     */
    long asLong(EdgeCursor edge, int element);

    /** The same as a floating point number. */
    double asDouble(EdgeCursor edge, int element);

    /**
     * An element of the value of an edge, for shard programs.
     *
     * @param ordinal of a vertex of the shard being computed
     * @param index of the edge in the vertex's row ({@link Shard#adjacency})
     * @param element from 0 on, below {@link Property#length}
     */
    long asLong(long ordinal, int index, int element);

    /** The same as a floating point number. */
    double asDouble(long ordinal, int index, int element);
}
