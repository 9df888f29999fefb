package org.starling.compute;

/**
 * Counts of a cluster since its start.
 *
 * @param supersteps supersteps of all runs
 * @param messages messages of all runs, before combining
 */
public record JobStatistics(long supersteps, long messages) {}
