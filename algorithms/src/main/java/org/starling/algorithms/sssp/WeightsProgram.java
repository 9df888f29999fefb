package org.starling.algorithms.sssp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Looks at all weights once: finds a vertex with an edge whose weight is negative or no number, and
 * adds the finite ones up. One superstep.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
public final class WeightsProgram implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.sssp.weights";

    /** Aggregate: smallest ordinal with an edge whose weight is negative or no number. */
    public static final String FIRST_BAD = "firstBad";

    /** Aggregate: number of stored edges with a finite weight; 0 in a graph without weights. */
    public static final String FINITE = "finite";

    /** Aggregate: sum of these weights. */
    public static final String SUM = "sum";

    private boolean weighted;
    private int neighbourBytes;
    private LongAggregator bad;
    private LongAggregator finite;
    private DoubleAggregator sum;

    @Override
    public void declare(Declaration graph) {
        weighted = graph.graph().weighted();
        neighbourBytes = graph.graph().neighbourBytes();
        bad = graph.longAggregator(FIRST_BAD, LongCombiner.MIN);
        finite = graph.longAggregator(FINITE, LongCombiner.SUM);
        sum = graph.doubleAggregator(SUM, DoubleCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        if (!weighted) {
            return;
        }
        Adjacency rows = shard.adjacency();
        MemorySegment memory = rows.memory();
        long count = 0;
        double total = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            int degree = rows.degree(v);
            long weights = degree == 0 ? 0 : rows.address(v) + (long) neighbourBytes * degree;
            boolean sound = true;
            for (int i = 0; i < degree; i++) {
                float weight = memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, weights + 4L * i);
                sound &= weight >= 0;
                if (weight < Float.POSITIVE_INFINITY) {
                    count++;
                    total += weight;
                }
            }
            if (!sound) {
                bad.add(v);
            }
        }
        finite.add(count);
        sum.add(total);
    }
}
