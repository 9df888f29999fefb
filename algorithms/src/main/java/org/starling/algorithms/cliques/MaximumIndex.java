package org.starling.algorithms.cliques;

import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.RankShares;
import org.starling.algorithms.orientation.VertexOrder;
import org.starling.graph.Adjacency;

/**
 * What the workers of a node share to find a largest clique: the graph directed by a degeneracy
 * order, who works on what, and the best clique so far. Safe for use by several threads.
 *
 * @param graph directed towards the vertices that are taken away later
 * @param links those of its edges by which cliques must hang together; the same object if all are
 */
record MaximumIndex(
        OrientedGraph graph, OrientedGraph links, RankShares shares, Incumbent incumbent) {
    /**
     * @param linkWeight edges of at least that weight are links; 0 for all
     */
    static MaximumIndex of(Adjacency rows, int vertices, float linkWeight) {
        VertexOrder order = VertexOrder.byDegeneracy(rows, vertices);
        OrientedGraph graph = OrientedGraph.towardsSmaller(rows, order);
        OrientedGraph links =
                linkWeight <= 0 ? graph : OrientedGraph.towardsSmaller(rows, order, linkWeight);
        return new MaximumIndex(graph, links, new RankShares(rows, vertices), new Incumbent());
    }
}
