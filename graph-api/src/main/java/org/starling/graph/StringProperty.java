package org.starling.graph;

/**
 * Strings that the vertices of a graph were made with. They can't be set. Only those of vertices of
 * the shard that is being computed may be read. Confined to the program instance's thread.
 */
public interface StringProperty {
    /**
     * String of the vertex with this ordinal, which must belong to the shard being computed; a new
     * one for each call. Whoever only compares should ask {@link #is}.
     */
    String get(long ordinal);

    /** String of {@code v}. */
    default String get(Vertex v) {
        return get(v.ordinal());
    }

    /**
     * Whether the vertex with this ordinal, which must belong to the shard being computed, has this
     * string. Allocates nothing as long as the same object is asked for again and again.
     */
    boolean is(long ordinal, String value);

    /** Whether {@code v} has this string. */
    default boolean is(Vertex v, String value) {
        return is(v.ordinal(), value);
    }
}
