package org.starling.graph;

/**
 * What is known about a graph.
 *
 * @param name its name
 * @param vertices number of vertices
 * @param edges number of edges; an undirected edge counts once
 * @param directed whether edges have a direction; if not, each is stored in the rows of both ends
 * @param weighted whether edges have weights
 * @param incoming whether rows of incoming edges are stored; in an undirected graph they are the
 *     same as those of outgoing ones
 * @param neighbourBytes bytes per stored neighbour: 4 or 8
 * @param shards number of shards
 * @param textIds whether original ids are texts: then programs see numbers from 0 on that stand for
 *     them, in the order of the texts' code points ({@link GraphSession#texts})
 */
public record GraphInfo(
        String name,
        long vertices,
        long edges,
        boolean directed,
        boolean weighted,
        boolean incoming,
        int neighbourBytes,
        int shards,
        boolean textIds) {
    /** A graph whose original ids are numbers. */
    public GraphInfo(
            String name,
            long vertices,
            long edges,
            boolean directed,
            boolean weighted,
            boolean incoming,
            int neighbourBytes,
            int shards) {
        this(name, vertices, edges, directed, weighted, incoming, neighbourBytes, shards, false);
    }

    /** Number of neighbours in rows of outgoing edges: twice the edges of an undirected graph. */
    public long storedEdges() {
        return directed ? edges : 2 * edges;
    }
}
