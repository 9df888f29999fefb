package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Who is to own each shard when peers have joined a job, or leave it: even shares of the weight,
 * and few moves. The same for the same arguments, whoever asks.
 *
 * <p>Shards of those who leave go to the peers with least, the heaviest first. Then shards go from
 * the peer with most to the one with least, each time the one that makes the two most alike, as
 * long as one does. A shard moves at most once. Costs O(shards²) at worst.
 */
final class Placement {
    private Placement() {}

    /**
     * Places.
     *
     * @param owners node of each shard now
     * @param weights of each shard; 0 for one that is nowhere
     * @param takers nodes that can have shards, ascending
     * @param leaves whether a node is to have none
     * @return node of each shard from now on
     */
    static int[] place(int[] owners, long[] weights, int[] takers, IntPredicate leaves) {
        int[] placed = owners.clone();
        if (takers.length == 0) {
            return placed;
        }
        Map<Integer, Long> loads = new TreeMap<>();
        for (int taker : takers) {
            loads.put(taker, 0L);
        }
        List<Integer> homeless = new ArrayList<>();
        for (int shard = 0; shard < owners.length; shard++) {
            if (leaves.test(owners[shard])) {
                homeless.add(shard);
            } else {
                long weight = weights[shard];
                loads.computeIfPresent(owners[shard], (_, load) -> load + weight);
            }
        }
        homeless.sort(
                Comparator.<Integer>comparingLong(shard -> -weights[shard])
                        .thenComparing(Comparator.naturalOrder()));
        for (int shard : homeless) {
            move(shard, least(loads).getKey(), placed, weights, loads);
        }
        while (evenOut(owners, weights, placed, loads)) {
            // until nothing gets more even
        }
        return placed;
    }

    /** How many shards with a weight have another owner. */
    static int moves(int[] before, int[] after, long[] weights) {
        int moves = 0;
        for (int shard = 0; shard < before.length; shard++) {
            moves += weights[shard] > 0 && before[shard] != after[shard] ? 1 : 0;
        }
        return moves;
    }

    private static boolean evenOut(
            int[] owners, long[] weights, int[] placed, Map<Integer, Long> loads) {
        Map.Entry<Integer, Long> most =
                loads.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        int from = most.getKey();
        int to = least(loads).getKey();
        long gap = most.getValue() - least(loads).getValue();
        int best = -1;
        long bestGap = gap;
        for (int shard = 0; shard < placed.length; shard++) {
            if (placed[shard] == from && owners[shard] == from && weights[shard] > 0) {
                long gapAfter = Math.abs(gap - 2 * weights[shard]);
                if (gapAfter < bestGap) {
                    best = shard;
                    bestGap = gapAfter;
                }
            }
        }
        if (best < 0) {
            return false;
        }
        move(best, to, placed, weights, loads);
        return true;
    }

    private static void move(
            int shard, int to, int[] placed, long[] weights, Map<Integer, Long> loads) {
        loads.computeIfPresent(placed[shard], (_, load) -> load - weights[shard]);
        loads.merge(to, weights[shard], Long::sum);
        placed[shard] = to;
    }

    private static Map.Entry<Integer, Long> least(Map<Integer, Long> loads) {
        return loads.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    }
}
