package org.starling.graph;

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

    /** The value, as an integer; floating point values are cut. */
    long asLong();

    /** The value as a floating point number. */
    double asDouble();

    @Override
    void close();
}
