package org.starling.algorithms.degrees;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.Histogram;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Parameters;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Counts vertices by degree, for one range of degrees, and finds the smallest degree behind it. One
 * superstep, one look at every vertex.
 *
 * <p>Parameters: {@value #DIRECTION}, which edges count, {@value #FIRST}, the degree of bucket 0,
 * and {@value #WINDOW}, the number of degrees to count.
 */
final class DegreeCensus implements ShardProgram {
    static final String NAME = "algorithms.degrees";
    static final String DIRECTION = "direction";
    static final String FIRST = "first";
    static final String WINDOW = "window";

    /** Histogram: number of vertices by degree, from {@link #FIRST} on. */
    static final String HISTOGRAM = "degrees";

    /** Aggregator: the smallest degree behind the range. */
    static final String NEXT = "next";

    private final EdgeDirection direction;
    private final long first;
    private final int window;
    private boolean directed;
    private Histogram degrees;
    private LongAggregator next;

    DegreeCensus(Parameters parameters) {
        direction = EdgeDirection.valueOf(parameters.text(DIRECTION));
        first = parameters.integer(FIRST);
        window = Math.toIntExact(parameters.integer(WINDOW));
    }

    @Override
    public void declare(Declaration graph) {
        if (direction != EdgeDirection.OUTGOING) {
            graph.needsIncomingEdges();
        }
        directed = graph.graph().directed();
        degrees = graph.histogram(HISTOGRAM);
        next = graph.longAggregator(NEXT, LongCombiner.MIN);
    }

    @Override
    public void compute(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            long bucket = degree(shard, v) - first;
            if (bucket >= window) {
                next.add(first + bucket);
            } else if (bucket >= 0) {
                degrees.add((int) bucket, 1);
            }
        }
    }

    private long degree(Shard shard, long v) {
        if (!directed) {
            return shard.adjacency().degree(v);
        }
        return switch (direction) {
            case OUTGOING -> shard.adjacency().degree(v);
            case INCOMING -> shard.incoming().degree(v);
            case BOTH -> (long) shard.adjacency().degree(v) + shard.incoming().degree(v);
        };
    }
}
