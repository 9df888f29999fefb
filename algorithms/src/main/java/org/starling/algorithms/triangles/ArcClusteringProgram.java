package org.starling.algorithms.triangles;

import org.jspecify.annotations.Nullable;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.RankShares;
import org.starling.algorithms.orientation.VertexOrder;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Local clustering coefficient of each vertex of a directed graph: of the arcs that could be
 * between its neighbours, whichever way those are joined to it, the share that is there.
 *
 * <p>Superstep 0: each shard goes through the triangles whose vertex of the largest rank is in its
 * share ({@link RankShares}, {@link ArcKernel}) and sends each vertex the arcs that it found
 * between its neighbours. Superstep 1: each vertex adds up what it received. Without triangles the
 * program ends after superstep 0, and states and sums stay 0.
 *
 * <p>One instance per worker, confined to it; the index is shared by the workers of a node. Memory
 * per node: that of {@link ArcGraph}; 9 bytes per vertex for each worker.
 */
public final class ArcClusteringProgram implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.arcClustering";

    private PerNode<ArcGraph> index;
    private PerNode<RankShares> shares;
    private LongChannel corners;
    private DoubleState clustering;
    private DoubleAggregator clusteringSum;
    private final Neighbourhood neighbourhood = new Neighbourhood();
    private @Nullable ArcKernel kernel;

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        OrientedGraph.requireFits(graph.graph(), "clustering");
        int vertices = Math.toIntExact(graph.graph().vertices());
        Adjacency rows = graph.wholeGraph();
        index = graph.perNode("arcGraph", () -> ArcGraph.of(rows, vertices));
        shares = graph.perNode("shares", () -> new RankShares(rows, vertices));
        corners = graph.longChannel("corners", LongCombiner.SUM);
        clustering = graph.doubleState(TrianglesProgram.CLUSTERING, 0);
        clusteringSum = graph.doubleAggregator(TrianglesProgram.CLUSTERING_SUM, DoubleCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        if (shard.superstep() == 0) {
            search(shard);
        } else {
            addUp(shard);
        }
    }

    private void search(Shard shard) {
        ArcGraph graph = index.get();
        if (kernel == null) {
            kernel = new ArcKernel(graph);
        }
        RankShares ranks = shares.get();
        long end = ranks.end(shard);
        for (long position = ranks.begin(shard); position < end; position++) {
            kernel.count(ranks.rank(position));
        }
        VertexOrder order = graph.order();
        kernel.corners().drain((rank, count) -> corners.send(order.ordinal(rank), count));
    }

    private void addUp(Shard shard) {
        double coefficients = 0;
        for (long vertex = shard.first(); vertex < shard.end(); vertex++) {
            long arcs = corners.received(vertex);
            if (arcs > 0) {
                double coefficient = coefficient(arcs, neighbourhood.load(shard, vertex));
                clustering.set(vertex, coefficient);
                coefficients += coefficient;
            }
        }
        clusteringSum.add(coefficients);
    }

    /** Share of the arcs that could be between so many neighbours; 0 if they are less than two. */
    static double coefficient(long arcs, int neighbours) {
        return neighbours < 2 ? 0 : arcs / ((double) neighbours * (neighbours - 1));
    }
}
