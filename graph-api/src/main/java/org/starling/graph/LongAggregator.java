package org.starling.graph;

/**
 * One {@code long} made of contributions of all vertices in a superstep.
 *
 * <p>It starts anew at its combiner's identity in every superstep. Partial values are reduced in
 * the order of shards, so that the result does not depend on the number of peers and threads.
 */
public interface LongAggregator {
    /** Adds a contribution to this superstep's value. */
    void add(long value);

    /**
     * Value of the superstep before this one (the identity in superstep 0); in {@link
     * Program#afterSuperstep}, of the one just finished.
     */
    long value();
}
