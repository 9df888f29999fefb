package org.starling.graph;

/**
 * Counts by bucket, summed over all vertices and supersteps of a run. Read it from the {@link
 * RunResult}.
 */
public interface Histogram {
    /** Largest number of buckets. */
    int MAX_BUCKETS = 1 << 20;

    /**
     * Adds to a bucket.
     *
     * @param bucket 0 ≤ bucket &lt; {@link #MAX_BUCKETS}
     * @param count what to add
     * @throws IndexOutOfBoundsException if there is no such bucket
     */
    void add(int bucket, long count);
}
