package org.starling.algorithms.cliques;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.starling.algorithms.orientation.OrientedGraph;

/**
 * Looks for the largest clique of a graph, one sub-problem per vertex: cliques in which no vertex
 * has a larger rank, as {@link CliqueKernel} cuts them.
 *
 * <p>A sub-problem's candidates are renumbered, those with many neighbours among the others first,
 * which colours well, and left to {@link MaximumSearch}. Invariant between calls: {@code number[r]
 * == 0} for all ranks. Making all matrices costs O(d m) for degeneracy d. Confined to one worker.
 */
final class MaximumKernel {
    private final OrientedGraph graph;
    private final Incumbent incumbent;
    private final MaximumSearch search;

    /** Number of a candidate of this sub-problem, from 1; 0 for other vertices. */
    private final int[] number;

    /** Neighbours of a candidate among the others, above; place in the row, below. */
    private final long[] keys;

    /**
     * @param graph directed towards smaller ranks
     * @param calls hears now and then of so many more calls; may throw to end the search
     */
    MaximumKernel(OrientedGraph graph, Incumbent incumbent, LongConsumer calls) {
        this.graph = graph;
        this.incumbent = incumbent;
        this.search = new MaximumSearch(incumbent, calls);
        this.number = new int[graph.vertices()];
        this.keys = new long[graph.largestDegree()];
    }

    /**
     * Follows edges from {@code rank} to ever smaller ranks that see all that went before, always
     * to the largest of them: a clique, quickly.
     *
     * @return its size
     */
    int greedy(int rank, int[] buffer) {
        int count = graph.degree(rank);
        for (int index = 0; index < count; index++) {
            buffer[index] = graph.neighbour(graph.begin(rank) + index);
        }
        int size = 1;
        while (count > 0) {
            int taken = buffer[count - 1];
            count = intersect(buffer, count - 1, taken);
            size++;
        }
        return size;
    }

    /**
     * Looks for a better clique in which no vertex has a larger rank than {@code rank}.
     *
     * @param floor size of a clique that is known to exist, the same wherever the work is done
     */
    void search(int rank, int floor) {
        if (graph.degree(rank) + 1 < incumbent.need(rank)) {
            return;
        }
        mark(rank);
        int candidates = choose(rank, floor);
        unmark(rank);
        if (candidates + 1 >= incumbent.need(rank)) {
            describe(rank, candidates);
            search.search();
        }
        unmark(rank);
    }

    /** Candidates with enough neighbours, as keys, those with the most first. */
    private int choose(int rank, int floor) {
        int begin = graph.begin(rank);
        int degree = graph.degree(rank);
        Arrays.fill(keys, 0, degree, 0L);
        for (int place = 0; place < degree; place++) {
            int vertex = graph.neighbour(begin + place);
            for (int index = graph.begin(vertex); index < graph.end(vertex); index++) {
                int other = number[graph.neighbour(index)];
                if (other != 0) {
                    keys[place]++;
                    keys[other - 1]++;
                }
            }
        }
        int kept = 0;
        for (int place = 0; place < degree; place++) {
            if (keys[place] + 2 >= floor) {
                keys[kept++] = -keys[place] << Integer.SIZE | place;
            }
        }
        Arrays.sort(keys, 0, kept);
        return kept;
    }

    private void describe(int rank, int candidates) {
        int begin = graph.begin(rank);
        search.begin(rank, candidates);
        for (int candidate = 0; candidate < candidates; candidate++) {
            number[graph.neighbour(begin + (int) keys[candidate])] = candidate + 1;
        }
        for (int candidate = 0; candidate < candidates; candidate++) {
            int vertex = graph.neighbour(begin + (int) keys[candidate]);
            search.candidate(candidate, vertex);
            for (int index = graph.begin(vertex); index < graph.end(vertex); index++) {
                int other = number[graph.neighbour(index)];
                if (other != 0) {
                    search.connect(candidate, other - 1);
                }
            }
        }
    }

    /** Keeps those of the first {@code count} ranks, ascending, that {@code rank} sees. */
    private int intersect(int[] buffer, int count, int rank) {
        int kept = 0;
        int index = graph.begin(rank);
        int end = graph.end(rank);
        for (int at = 0; at < count && index < end; ) {
            int seen = graph.neighbour(index);
            if (buffer[at] == seen) {
                buffer[kept++] = seen;
                at++;
                index++;
            } else if (buffer[at] < seen) {
                at++;
            } else {
                index++;
            }
        }
        return kept;
    }

    private void mark(int rank) {
        int begin = graph.begin(rank);
        for (int index = begin; index < graph.end(rank); index++) {
            number[graph.neighbour(index)] = index - begin + 1;
        }
    }

    private void unmark(int rank) {
        for (int index = graph.begin(rank); index < graph.end(rank); index++) {
            number[graph.neighbour(index)] = 0;
        }
    }
}
