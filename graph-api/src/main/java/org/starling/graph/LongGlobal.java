package org.starling.graph;

/**
 * One {@code long} that {@link Program#afterSuperstep} sets between supersteps and every vertex can
 * read.
 */
public interface LongGlobal {
    /** The value. */
    long get();

    /**
     * Sets the value for the supersteps to come.
     *
     * @throws IllegalStateException outside {@link Program#afterSuperstep}
     */
    void set(long value);
}
