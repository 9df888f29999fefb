package org.starling.algorithms.substructure;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.starling.graph.JobFailedException;

/**
 * Checks pairs against the two graphs that they were found in: no vertex twice, the same labels,
 * and any two as the two that they are paired with. On the driver's side, O(pairs²).
 */
final class SubstructureCheck {
    private SubstructureCheck() {}

    /**
     * Checks.
     *
     * @param pairs a vertex of {@code left} and one of {@code right} each
     * @param connected whether they must be connected
     * @throws JobFailedException if something is wrong
     */
    static void require(SmallGraph left, SmallGraph right, List<int[]> pairs, boolean connected) {
        Set<Integer> inLeft = new HashSet<>();
        Set<Integer> inRight = new HashSet<>();
        for (int[] pair : pairs) {
            if (!inLeft.add(pair[0]) || !inRight.add(pair[1])) {
                throw refusal(left, right, "a vertex is paired twice");
            }
            if (!left.label(pair[0]).equals(right.label(pair[1]))) {
                throw refusal(left, right, "two vertices with different labels are paired");
            }
            BitSet targets = left.targets(pair[0]);
            BitSet counterparts = right.targets(pair[1]);
            for (int[] other : pairs) {
                if (targets.get(other[0]) != counterparts.get(other[1])) {
                    throw refusal(left, right, "an edge has no counterpart");
                }
            }
        }
        if (connected && !isConnected(left, pairs)) {
            throw refusal(left, right, "it is not connected");
        }
    }

    private static boolean isConnected(SmallGraph graph, List<int[]> pairs) {
        if (pairs.isEmpty()) {
            return true;
        }
        BitSet reached = new BitSet();
        reached.set(pairs.getFirst()[0]);
        for (int before = 0; before < reached.cardinality(); ) {
            before = reached.cardinality();
            for (int[] pair : pairs) {
                BitSet targets = graph.targets(pair[0]);
                if (reached.get(pair[0])) {
                    pairs.stream()
                            .filter(to -> targets.get(to[0]))
                            .forEach(to -> reached.set(to[0]));
                } else if (targets.intersects(reached)) {
                    reached.set(pair[0]);
                }
            }
        }
        return reached.cardinality() == pairs.size();
    }

    private static JobFailedException refusal(SmallGraph left, SmallGraph right, String broken) {
        return new JobFailedException(
                "common substructure of graphs \"%s\" and \"%s\" failed its check: %s"
                        .formatted(left.name(), right.name(), broken));
    }
}
