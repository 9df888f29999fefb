package org.starling.compute.internal.catalogue;

import org.starling.compute.internal.graph.StateType;

/**
 * A column of a kept graph: one value for each vertex.
 *
 * @param name its name
 * @param type of its values
 * @param manifest chunk that says which chunk holds the values of each shard
 * @param job that published it
 * @param task of that job
 */
public record KeptColumn(String name, StateType type, long manifest, long job, int task) {}
