package org.starling.graph;

import java.util.Objects;

/**
 * A cursor over the vertices of a graph and their rows. It stands before the first vertex until
 * {@link #next()} is called.
 */
public interface RowCursor extends AutoCloseable {
    /** Moves to the next vertex; false when there is none. */
    boolean next();

    /** Ordinal of the vertex. */
    long ordinal();

    /** Original id of the vertex. */
    long id();

    /** Number of (outgoing) edges. */
    int degree();

    /**
     * Ordinal of the other end of the edge at {@code index}, 0 ≤ {@code index} &lt; {@link
     * #degree()}; ascending.
     */
    long target(int index);

    /** Weight of the edge at {@code index}; 1 in a graph without weights. */
    default float weight(int index) {
        Objects.checkIndex(index, degree());
        return 1;
    }

    @Override
    void close();
}
