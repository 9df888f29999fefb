package org.starling.algorithms.cliques;

import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.RankShares;
import org.starling.algorithms.orientation.VertexOrder;
import org.starling.graph.Adjacency;

/**
 * What the workers of a node share to find cliques: the graph directed by a degeneracy order, both
 * ways, and who works on what. Immutable.
 *
 * @param smaller directed towards the vertices that are taken away later
 * @param larger directed towards those that are taken away earlier
 */
record CliqueIndex(OrientedGraph smaller, OrientedGraph larger, RankShares shares) {
    static CliqueIndex of(Adjacency rows, int vertices) {
        OrientedGraph smaller =
                OrientedGraph.towardsSmaller(rows, VertexOrder.byDegeneracy(rows, vertices));
        return new CliqueIndex(smaller, smaller.reversed(), new RankShares(rows, vertices));
    }
}
