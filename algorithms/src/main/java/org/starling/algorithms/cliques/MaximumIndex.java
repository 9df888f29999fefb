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
 */
record MaximumIndex(OrientedGraph graph, RankShares shares, Incumbent incumbent) {
    static MaximumIndex of(Adjacency rows, int vertices) {
        VertexOrder order = VertexOrder.byDegeneracy(rows, vertices);
        return new MaximumIndex(
                OrientedGraph.towardsSmaller(rows, order),
                new RankShares(rows, vertices),
                new Incumbent());
    }
}
