package org.starling.algorithms;

import org.starling.graph.Declaration;
import org.starling.graph.Histogram;
import org.starling.graph.IntState;
import org.starling.graph.Parameters;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Counts vertices by level after a breadth-first search, so that the search itself need not. One
 * superstep, one look at every vertex, no edges.
 *
 * <p>Parameters: {@value #FIRST}, the level of bucket 0, and {@value #WINDOW}, the number of levels
 * to count.
 */
final class BfsCensus implements ShardProgram {
    static final String NAME = "algorithms.bfs.census";
    static final String FIRST = "first";
    static final String WINDOW = "window";
    static final String HISTOGRAM = "levels";

    private final int first;
    private final int window;
    private IntState level;
    private Histogram levels;

    BfsCensus(Parameters parameters) {
        first = Math.toIntExact(parameters.integer(FIRST));
        window = Math.toIntExact(parameters.integer(WINDOW));
    }

    @Override
    public void declare(Declaration graph) {
        level = graph.existingIntState(Bfs.LEVEL);
        levels = graph.histogram(HISTOGRAM);
    }

    @Override
    public void compute(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            int bucket = level.get(v) - first;
            if (bucket >= 0 && bucket < window) {
                levels.add(bucket, 1);
            }
        }
    }
}
