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
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Triangles and local clustering coefficient of each vertex.
 *
 * <p>Superstep 0: each shard finds the triangles whose vertex of the largest rank is in its share
 * ({@link RankShares}, {@link TriangleKernel}) and sends each vertex how many of them it belongs
 * to, one message per vertex and shard. Superstep 1: each vertex adds up what it received. A graph
 * without triangles ends after superstep 0, and its states and sums stay 0.
 *
 * <p>One instance per worker, confined to it; the index is shared by the workers of a node. Memory
 * per node: 4 bytes per edge and 12 per vertex for the index, 9 per vertex for each worker.
 */
public final class TrianglesProgram implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.triangles";

    /** The {@code long} state it leaves: triangles at each vertex. */
    public static final String TRIANGLES = "triangles";

    /** The {@code double} state it leaves: local clustering coefficients. */
    public static final String CLUSTERING = "clustering";

    /** Aggregate: number of triangles, as they were found. */
    public static final String FOUND = "trianglesFound";

    /** Aggregate: sum of the state of triangles. */
    public static final String CORNER_SUM = "cornerSum";

    /** Aggregate: sum of the local clustering coefficients. */
    public static final String CLUSTERING_SUM = "clusteringSum";

    private PerNode<TriangleIndex> index;
    private LongChannel corners;
    private LongState triangles;
    private DoubleState clustering;
    private LongAggregator found;
    private LongGlobal foundInAll;
    private LongAggregator cornerSum;
    private DoubleAggregator clusteringSum;
    private @Nullable TriangleKernel kernel;

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        OrientedGraph.requireFits(graph.graph(), "triangle counting");
        int vertices = Math.toIntExact(graph.graph().vertices());
        Adjacency rows = graph.wholeGraph();
        index = graph.perNode("triangleIndex", () -> TriangleIndex.of(rows, vertices));
        corners = graph.longChannel("corners", LongCombiner.SUM);
        triangles = graph.longState(TRIANGLES, 0);
        clustering = graph.doubleState(CLUSTERING, 0);
        found = graph.longAggregator(FOUND, LongCombiner.SUM);
        foundInAll = graph.longGlobal("foundInAll", 0);
        cornerSum = graph.longAggregator(CORNER_SUM, LongCombiner.SUM);
        clusteringSum = graph.doubleAggregator(CLUSTERING_SUM, DoubleCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        if (shard.superstep() == 0) {
            search(shard);
        } else {
            addUp(shard);
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == 0) {
            foundInAll.set(found.value());
        }
    }

    private void search(Shard shard) {
        TriangleIndex shared = index.get();
        if (kernel == null) {
            kernel = new TriangleKernel(shared.graph(), shared.hubs());
        }
        long sum = 0;
        RankShares shares = shared.shares();
        long end = shares.end(shard);
        for (long position = shares.begin(shard); position < end; position++) {
            sum += kernel.count(shares.rank(position));
        }
        found.add(sum);
        VertexOrder order = shared.graph().order();
        kernel.corners().drain((rank, count) -> corners.send(order.ordinal(rank), count));
    }

    private void addUp(Shard shard) {
        if (shard.index() == 0) {
            found.add(foundInAll.get());
        }
        Adjacency rows = shard.adjacency();
        long sum = 0;
        double coefficients = 0;
        for (long vertex = shard.first(); vertex < shard.end(); vertex++) {
            long count = corners.received(vertex);
            double coefficient = ArcClusteringProgram.coefficient(2 * count, rows.degree(vertex));
            triangles.set(vertex, count);
            clustering.set(vertex, coefficient);
            sum += count;
            coefficients += coefficient;
        }
        cornerSum.add(sum);
        clusteringSum.add(coefficients);
    }
}
