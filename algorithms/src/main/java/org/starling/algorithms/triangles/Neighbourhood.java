package org.starling.algorithms.triangles;

import java.util.Arrays;
import org.starling.graph.Adjacency;
import org.starling.graph.Shard;

/**
 * Neighbours of a vertex of a directed graph, whichever way the edges lead: each once, ascending.
 * Made by merging the two rows. Keeps the memory of the longest one. Confined to one worker.
 */
final class Neighbourhood {
    private int[] outgoing = {};
    private int[] incoming = {};
    private int[] merged = {};

    /** Turns to a vertex of the shard; the number of its neighbours. */
    int load(Shard shard, long vertex) {
        int outs = shard.adjacency().degree(vertex);
        int ins = shard.incoming().degree(vertex);
        outgoing = copy(shard.adjacency(), vertex, outs, outgoing);
        incoming = copy(shard.incoming(), vertex, ins, incoming);
        if (outs + ins > merged.length) {
            merged = new int[outs + ins];
        }
        int size = 0;
        int out = 0;
        int in = 0;
        while (out < outs || in < ins) {
            int next;
            if (in == ins || (out < outs && outgoing[out] < incoming[in])) {
                next = outgoing[out++];
            } else {
                next = incoming[in++];
                out += out < outs && outgoing[out] == next ? 1 : 0;
            }
            merged[size++] = next;
        }
        return size;
    }

    /** Ordinal of a neighbour. */
    int at(int index) {
        return merged[index];
    }

    /** True if an ordinal is among the first {@code size} neighbours. */
    boolean contains(int ordinal, int size) {
        return Arrays.binarySearch(merged, 0, size, ordinal) >= 0;
    }

    private static int[] copy(Adjacency rows, long vertex, int degree, int[] into) {
        int[] row = degree > into.length ? new int[Math.max(degree, 2 * into.length)] : into;
        rows.copy(vertex, row, 0);
        return row;
    }
}
