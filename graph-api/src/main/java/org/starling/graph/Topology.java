package org.starling.graph;

/**
 * Changes of the graph by the program that runs on it, got from {@link Declaration#topology()}.
 *
 * <p>What is said in one superstep holds from the next one on, for all vertices on all peers.
 * Whoever says it and in whatever order it comes, it is done like this: edges are removed, then
 * vertices with all their edges, then vertices are added, then edges. So an edge that is removed
 * and added in one superstep is there, with its new weight. What is said twice is done once. Of the
 * weights of an edge that is added more than once, or that is there already and is not removed, the
 * smallest stays, as where edges are loaded. An edge from a vertex to itself is not added. What is
 * said of a vertex or an edge that is not there is passed over.
 *
 * <p>In an undirected graph an edge has no direction here either: it is enough to name it once. In
 * a directed one the row of incoming edges follows by itself, where the graph is stored with it.
 *
 * <p>Messages go along the edges of the superstep in which they are sent. Those for a vertex that
 * is removed are dropped. Its ordinal leads to nobody from then on and is not used again in this
 * run. A vertex that is added gets an ordinal behind all others; those of one superstep ascend with
 * their ids. It has the initial values of the program's states, 0 (or no vertex) in all others, and
 * {@link VertexProgram#start} is called for it in its first superstep.
 *
 * <p>While the program runs {@link GraphInfo#vertices()} is the bound of ordinals, and what was
 * removed counts in it; {@link #vertices()} does not count that. When the run has ended, the graph
 * has dense ordinals again, in the same order. A run that fails leaves the graph and its states as
 * they were. Bound to the program's instance and confined to its thread; to be asked while vertices
 * or shards compute. What is asked in {@link Program#declare} or {@link Program#afterSuperstep}
 * fails the run.
 */
public interface Topology {
    /**
     * Adds an edge of weight 1.
     *
     * @param source ordinal of the vertex that it leaves
     * @param target ordinal of the vertex that it leads to
     * @throws JobFailedException if no vertex can have such an ordinal
     */
    default void addEdge(long source, long target) {
        addEdge(source, target, 1f);
    }

    /**
     * Adds an edge; a graph without weights has no use for the weight.
     *
     * @throws JobFailedException if no vertex can have such an ordinal, or the weight is no number
     */
    void addEdge(long source, long target, float weight);

    /**
     * Removes an edge.
     *
     * @throws JobFailedException if no vertex can have such an ordinal
     */
    void removeEdge(long source, long target);

    /**
     * Removes a vertex and all edges from and to it.
     *
     * @throws JobFailedException if no vertex can have such an ordinal
     */
    void removeVertex(long ordinal);

    /** Removes the vertex with an original id, and all edges from and to it. */
    void removeVertexById(long id);

    /** Adds a vertex without edges, unless one with this original id is there. */
    void addVertex(long id);

    /**
     * Adds an edge between vertices with these original ids. Who is not there, or is removed in the
     * same superstep, is added, as where edges are loaded.
     *
     * @throws JobFailedException if the weight is no number
     */
    void addEdgeById(long source, long target, float weight);

    /** Removes the edge between the vertices with these original ids. */
    void removeEdgeById(long source, long target);

    /** Whether there is a vertex with this ordinal in this superstep. */
    boolean contains(long ordinal);

    /** Number of vertices in this superstep. */
    long vertices();

    /** Removes the edge that a cursor of {@code v} stands on. */
    default void removeEdge(Vertex v, EdgeCursor edge) {
        removeEdge(v.ordinal(), edge.target());
    }

    /** Removes {@code v} and all its edges. */
    default void removeVertex(Vertex v) {
        removeVertex(v.ordinal());
    }
}
