package org.starling.graph;

/**
 * A cursor on one vertex. It is moved by the engine and must not be kept beyond the call that got
 * it.
 */
public interface Vertex {
    /** The vertex's id in the file or generator it came from. */
    long id();

    /**
     * Dense number of the vertex, from 0 to {@link GraphInfo#vertices()} - 1. Vertices with many
     * edges have small ones; it depends on the graph alone.
     */
    long ordinal();

    /** Number of (outgoing) edges. */
    int degree();

    /**
     * Number of incoming edges; the same as {@link #degree()} in an undirected graph. Who asks for
     * it declares it ({@link Declaration#needsIncomingEdges()}).
     *
     * @throws InvalidInputException if the graph was made without rows of incoming edges
     */
    int inDegree();

    /** Cursor over the (outgoing) edges, targets ascending; valid until it is asked for again. */
    EdgeCursor edges();

    /**
     * Declares that this vertex will never react again: it is neither scanned for messages nor
     * called from now on.
     */
    void settle();

    /** Number of the current superstep, from 0. */
    int superstep();
}
