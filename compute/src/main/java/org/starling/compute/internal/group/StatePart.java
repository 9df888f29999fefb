package org.starling.compute.internal.group;

import java.util.SortedMap;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.StateType;

/**
 * States of a graph as a checkpoint holds them.
 *
 * @param checkpoint number of the checkpoint
 * @param graph name of the graph
 * @param states types of the states by name
 * @param manifest for each shard the chunk of the first state; those of the others follow
 */
record StatePart(
        long checkpoint, String graph, SortedMap<String, StateType> states, Manifest manifest) {}
