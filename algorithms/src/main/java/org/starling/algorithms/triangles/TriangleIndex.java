package org.starling.algorithms.triangles;

import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.RankShares;
import org.starling.algorithms.orientation.VertexOrder;
import org.starling.graph.Adjacency;

/**
 * What the workers of a node share to find triangles: the graph directed by degree, the hubs among
 * themselves, and who works on what. Immutable.
 */
record TriangleIndex(OrientedGraph graph, HubMatrix hubs, RankShares shares) {
    static TriangleIndex of(Adjacency rows, int vertices) {
        OrientedGraph graph =
                OrientedGraph.towardsSmaller(rows, VertexOrder.byDegree(rows, vertices));
        return new TriangleIndex(graph, new HubMatrix(graph), new RankShares(rows, vertices));
    }
}
