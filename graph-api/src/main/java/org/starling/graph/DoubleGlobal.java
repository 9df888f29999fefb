package org.starling.graph;

/**
 * One {@code double} that {@link Program#afterSuperstep} sets between supersteps and every vertex
 * can read.
 */
public interface DoubleGlobal {
    /** The value. */
    double get();

    /**
     * Sets the value for the supersteps to come.
     *
     * @throws IllegalStateException outside {@link Program#afterSuperstep}
     */
    void set(double value);
}
