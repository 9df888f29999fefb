package org.starling.compute.internal.graph;

/**
 * A published column of a graph, as it lies in the store.
 *
 * @param name its name
 * @param type of its values
 * @param manifest chunk of its {@link Manifest}: for each shard the chunk of its values
 */
public record StoredColumn(String name, StateType type, long manifest) {}
