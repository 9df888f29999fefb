package org.starling.graph;

import java.util.Objects;

/**
 * A cursor over the values of a state, in the order of ids (unsigned). It stands before the first
 * vertex until {@link #next()} is called.
 */
public interface StateCursor extends AutoCloseable {
    /** Moves to the next vertex; false when there is none. */
    boolean next();

    /** Ordinal of the vertex. */
    long ordinal();

    /** Original id of the vertex. */
    long id();

    /**
     * The value, as an integer; floating point values are cut. Of a vector the first element; of a
     * state that names vertices an ordinal, or -1 for none.
     *
     * @throws IllegalStateException if the values are strings
     */
    long asLong();

    /**
     * The value as a floating point number; of a vector the first element.
     *
     * @throws IllegalStateException if the values are strings
     */
    double asDouble();

    /** Number of elements of each value; 1 unless the state is one of vectors. */
    default int length() {
        return 1;
    }

    /**
     * An element of a vector, as an integer.
     *
     * @param index from 0 on, below {@link #length()}
     */
    default long asLong(int index) {
        Objects.checkIndex(index, length());
        return asLong();
    }

    /** An element of a vector as a floating point number. */
    default double asDouble(int index) {
        Objects.checkIndex(index, length());
        return asDouble();
    }

    /** What elements are; whole numbers of 64 bits where they are ids or ordinals of vertices. */
    PropertyType type();

    /** Whether {@link #text} gives the id of a vertex, or -1 for none. */
    default boolean showsIds() {
        return namesVertices();
    }

    /** Whether the state names vertices: see {@link Declaration#vertexState}. */
    default boolean namesVertices() {
        return false;
    }

    /**
     * The value as files have it: a number, true or false, a string, of a state that names vertices
     * the original id of the vertex, or -1 for none.
     */
    String text();

    @Override
    void close();
}
