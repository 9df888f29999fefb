package org.starling.compute.internal.group;

import java.util.HashMap;
import java.util.Map;

/**
 * Memory by node that other jobs were promised, and may not have taken yet. Immutable.
 *
 * @param graphs for graphs that are made
 * @param runs for columns and messages of runs
 */
public record Promises(Map<Integer, Long> graphs, Map<Integer, Long> runs) {
    /** Nobody else is there. */
    public static final Promises NONE = new Promises(Map.of(), Map.of());

    /** Copies the maps. */
    public Promises {
        graphs = Map.copyOf(graphs);
        runs = Map.copyOf(runs);
    }

    /** These and one more. */
    public Promises with(boolean toGraph, Map<Integer, Long> bytes) {
        Map<Integer, Long> sum = new HashMap<>(toGraph ? graphs : runs);
        bytes.forEach((node, more) -> sum.merge(node, more, Long::sum));
        return toGraph ? new Promises(sum, runs) : new Promises(graphs, sum);
    }

    /** What graphs may take of a node's memory for chunks. */
    long forGraphs(int node) {
        return graphs.getOrDefault(node, 0L);
    }

    /** What may be taken of the memory of a node's machine. */
    long forAll(int node) {
        return forGraphs(node) + runs.getOrDefault(node, 0L);
    }
}
