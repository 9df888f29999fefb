package org.starling.graph;

/**
 * Strings that the edges of a graph were made with, read while walking the outgoing edges of
 * vertices of the shard that is being computed; in an undirected graph both ends of an edge have
 * the same. They can't be set. Confined to the program instance's thread.
 */
public interface EdgeStringProperty {
    /**
     * String of the edge that a cursor stands on; a new one for each call. Whoever only compares
     * should ask {@link #is}.
     */
    String get(EdgeCursor edge);

    /**
     * Whether the edge that a cursor stands on has this string. Allocates nothing as long as the
     * same object is asked for again and again.
     */
    boolean is(EdgeCursor edge, String value);

    /**
     * String of an edge, for shard programs.
     *
     * @param ordinal of a vertex of the shard being computed
     * @param index of the edge in the vertex's row ({@link Shard#adjacency})
     */
    String get(long ordinal, int index);

    /** Whether an edge has this string, likewise. */
    boolean is(long ordinal, int index, String value);
}
