package org.starling.graph;

/**
 * A run of consecutive vertices that lives on one peer: the unit of placement and of parallelism.
 */
public interface Shard {
    /** Number of the shard within its graph, from 0. */
    int index();

    /** Ordinal of the first vertex. */
    long first();

    /** Ordinal after the last vertex. */
    long end();

    /** Number of the current superstep, from 0. */
    int superstep();

    /** Rows of this shard's vertices (outgoing edges), for the worker that computes it alone. */
    Adjacency adjacency();

    /**
     * Rows of incoming edges of this shard's vertices; in an undirected graph the same as {@link
     * #adjacency()}. Who asks for them declares it ({@link Declaration#needsIncomingEdges()}).
     *
     * @throws InvalidInputException if the graph was made without them
     */
    Adjacency incoming();

    /** Original id of a vertex of this shard. */
    long id(long ordinal);
}
