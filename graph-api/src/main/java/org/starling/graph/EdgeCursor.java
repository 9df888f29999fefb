package org.starling.graph;

/**
 * A cursor over the edges of one vertex. It stands before the first edge until {@link #next()} is
 * called.
 */
public interface EdgeCursor {
    /** Moves to the next edge; false when there is none. */
    boolean next();

    /** Ordinal of the edge's other end. */
    long target();

    /** Weight of the edge; 1 in a graph without weights. */
    float weight();
}
