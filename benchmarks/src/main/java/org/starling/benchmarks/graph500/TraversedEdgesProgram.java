package org.starling.benchmarks.graph500;

import org.starling.graph.Declaration;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Adds up the input degrees of the vertices that a search has reached: twice the number of edges
 * that TEPS are counted in, if every edge of a reached vertex leads to another one. One superstep,
 * one look at every vertex. An instance belongs to a worker's thread.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
final class TraversedEdgesProgram implements ShardProgram {

    static final String NAME = "graph500.traversed";

    /** Aggregator: the sum. */
    static final String DEGREES = "degrees";

    private LongState parent;
    private IntState inputDegree;
    private LongAggregator degrees;

    TraversedEdgesProgram() {}

    @Override
    public void declare(Declaration graph) {
        parent = graph.existingVertexState(Kernels.PARENT);
        inputDegree = graph.existingIntState(Kernels.INPUT_DEGREE);
        degrees = graph.longAggregator(DEGREES, LongCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        long sum = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            if (parent.get(v) >= 0) {
                sum += inputDegree.get(v);
            }
        }
        degrees.add(sum);
    }
}
