package org.starling.algorithms;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.function.LongToIntFunction;
import org.starling.graph.Adjacency;
import org.starling.graph.Shard;

/**
 * What label a vertex must take in a round, found by sorting its neighbours' labels: the slow way,
 * by which the quick one is judged. O(d log d) for d neighbours. Confined to one worker.
 */
final class LabelRecount {
    private final boolean directed;
    private final LongToIntFunction labels;
    private final IntToLongFunction ids;

    /**
     * @param directed whether neighbours at the other end of incoming edges count, too
     * @param labels label of any vertex before the round
     * @param ids unsigned id of a label
     */
    LabelRecount(boolean directed, LongToIntFunction labels, IntToLongFunction ids) {
        this.directed = directed;
        this.labels = labels;
        this.ids = ids;
    }

    /** The most frequent label around a vertex, of several the one with the smallest id. */
    int winner(Shard shard, long v) {
        Adjacency outgoing = shard.adjacency();
        Adjacency incoming = shard.incoming();
        int outs = outgoing.degree(v);
        int[] around = new int[Math.addExact(outs, directed ? incoming.degree(v) : 0)];
        for (int i = 0; i < around.length; i++) {
            around[i] =
                    labels.applyAsInt(
                            i < outs ? outgoing.neighbour(v, i) : incoming.neighbour(v, i - outs));
        }
        Arrays.sort(around);
        return around.length == 0 ? labels.applyAsInt(v) : longestRun(around);
    }

    private int longestRun(int[] sorted) {
        int best = sorted[0];
        int most = 0;
        for (int begin = 0, end; begin < sorted.length; begin = end) {
            int label = sorted[begin];
            end = begin + 1;
            while (end < sorted.length && sorted[end] == label) {
                end++;
            }
            int count = end - begin;
            if (count > most || (count == most && isBefore(label, best))) {
                most = count;
                best = label;
            }
        }
        return best;
    }

    private boolean isBefore(int label, int other) {
        return Long.compareUnsigned(ids.applyAsLong(label), ids.applyAsLong(other)) < 0;
    }
}
