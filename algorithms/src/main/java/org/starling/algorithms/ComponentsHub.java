package org.starling.algorithms;

import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Parameters;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Finds a vertex of high degree. One superstep, one look at every vertex, no edges.
 *
 * <p>Degree and ordinal travel in one number: degree above, cut to {@value #DEGREE_BITS} bits, and
 * ordinal below, in {@value #ORDINAL_BITS} bits (chunk ids leave no more for it). Among vertices
 * whose degrees are cut alike any one will do.
 */
final class ComponentsHub implements ShardProgram {
    static final String NAME = "algorithms.components.hub";

    private static final int ORDINAL_BITS = 48;
    private static final int DEGREE_BITS = 15;
    private static final int LARGEST_DEGREE = (1 << DEGREE_BITS) - 1;

    private boolean directed;
    private LongAggregator highest;

    /** Original id of a vertex of high degree. */
    static long find(GraphSession session, String graph) {
        long highest = session.run(graph, NAME, Parameters.NONE).longAggregate("highest");
        return session.id(graph, highest & ((1L << ORDINAL_BITS) - 1));
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsIncomingEdges();
        directed = graph.graph().directed();
        highest = graph.longAggregator("highest", LongCombiner.MAX);
    }

    @Override
    public void compute(Shard shard) {
        Adjacency rows = shard.adjacency();
        Adjacency incoming = shard.incoming();
        long best = Long.MIN_VALUE;
        for (long v = shard.first(); v < shard.end(); v++) {
            long both = (long) rows.degree(v) + (directed ? incoming.degree(v) : 0);
            long degree = Math.min(both, LARGEST_DEGREE);
            best = Math.max(best, degree << ORDINAL_BITS | v);
        }
        highest.add(best);
    }
}
