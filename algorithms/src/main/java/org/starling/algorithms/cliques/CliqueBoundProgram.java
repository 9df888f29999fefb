package org.starling.algorithms.cliques;

import org.jspecify.annotations.Nullable;
import org.starling.algorithms.orientation.RankShares;
import org.starling.algorithms.orientation.VertexOrder;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Parameters;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Looks for a clique larger than one that is known ({@link CliqueBound}). One superstep; each shard
 * judges the sub-problems of its share of the ranks.
 */
public final class CliqueBoundProgram implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.maximumclique.bound";

    /** Parameter: size of the clique that is known. */
    public static final String SIZE = "size";

    /**
     * Parameter: cliques must hang together by edges of at least that weight; 0 if any edge will
     * do.
     */
    public static final String LINK_WEIGHT = "linkWeight";

    /** Parameter: calls of the search after which a sub-problem is left open. */
    public static final String MAX_CALLS = "maxCalls";

    /** Aggregate: a vertex with a larger clique. */
    public static final String LARGER = "larger";

    /** Aggregate: number of sub-problems of which the search did not come to an end. */
    public static final String OPEN = "open";

    private final int size;
    private final float linkWeight;
    private final long maxCalls;
    private Adjacency rows;
    private PerNode<RankShares> shares;
    private PerNode<VertexOrder> order;
    private LongAggregator larger;
    private LongAggregator open;
    private @Nullable CliqueBound bound;

    CliqueBoundProgram(Parameters parameters) {
        size = Math.toIntExact(parameters.integer(SIZE));
        linkWeight = (float) parameters.number(LINK_WEIGHT);
        maxCalls = parameters.integer(MAX_CALLS);
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        int vertices = Math.toIntExact(graph.graph().vertices());
        Adjacency whole = graph.wholeGraph();
        rows = whole;
        shares = graph.perNode("shares", () -> new RankShares(whole, vertices));
        order = graph.perNode("order", () -> VertexOrder.byDegeneracy(whole, vertices));
        larger = graph.longAggregator(LARGER, LongCombiner.MIN);
        open = graph.longAggregator(OPEN, LongCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        CliqueBound judge = bound;
        if (judge == null) {
            judge = new CliqueBound(rows, order.get(), linkWeight, maxCalls);
            bound = judge;
        }
        RankShares ranks = shares.get();
        long end = ranks.end(shard);
        for (long position = ranks.begin(shard); position < end; position++) {
            int rank = ranks.rank(position);
            switch (judge.judge(rank, size)) {
                case NONE_LARGER -> {}
                case LARGER -> larger.add(order.get().ordinal(rank));
                case OPEN -> open.add(1);
            }
        }
    }
}
