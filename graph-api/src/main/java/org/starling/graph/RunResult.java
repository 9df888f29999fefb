package org.starling.graph;

import java.util.SortedMap;
import java.util.SortedSet;

/** What a run left. */
public interface RunResult {
    /** Number of supersteps, superstep 0 included. */
    int supersteps();

    /**
     * Number of messages before combining: one for each send and for each edge along which a
     * broadcast goes.
     */
    long messages();

    /** Names of the states that the program declared and left. */
    SortedSet<String> states();

    /** Time of the supersteps, without preparing and clearing columns, in seconds. */
    double seconds();

    /**
     * Value of a {@link LongAggregator} in the last superstep.
     *
     * @throws IllegalArgumentException if the program declared none of that name
     */
    long longAggregate(String name);

    /**
     * Value of a {@link DoubleAggregator} in the last superstep.
     *
     * @throws IllegalArgumentException if the program declared none of that name
     */
    double doubleAggregate(String name);

    /**
     * Values of all aggregators in the last superstep by their names: a {@link Long} or a {@link
     * Double} each.
     */
    SortedMap<String, Number> aggregates();

    /**
     * Counts of a {@link Histogram}, up to the last bucket that is not 0.
     *
     * @throws IllegalArgumentException if the program declared none of that name
     */
    long[] histogram(String name);
}
