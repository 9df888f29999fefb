package org.starling.compute.internal.group;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starling.compute.internal.graph.StateType;

/**
 * States that went with runs that have failed, as long as checkpoints, or runs that would be done
 * again, could bring them back. Owned by {@link Checkpoints}; confined to the job's thread.
 */
final class GoneStates {
    private final Map<String, Set<String>> byGraph = new TreeMap<>();

    void add(String graph, Set<String> states) {
        byGraph.computeIfAbsent(graph, _ -> new TreeSet<>()).addAll(states);
    }

    /** A run has made states anew. */
    void made(String graph, Set<String> states) {
        Set<String> gone = byGraph.get(graph);
        if (gone != null) {
            gone.removeAll(states);
        }
    }

    /** Those of some states that are not gone. */
    SortedMap<String, StateType> without(String graph, SortedMap<String, StateType> states) {
        SortedMap<String, StateType> left = new TreeMap<>(states);
        left.keySet().removeAll(byGraph.getOrDefault(graph, Set.of()));
        return left;
    }

    /** Graphs whose older checkpoints have states that are gone. */
    Set<String> graphs() {
        return Set.copyOf(byGraph.keySet());
    }

    /** Nothing can bring back states of a graph. */
    void forget(String graph) {
        byGraph.remove(graph);
    }

    /** The same of all graphs. */
    void forgetAll() {
        byGraph.clear();
    }
}
