package org.starling.algorithms.cliques;

import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.Sample;
import org.starling.graph.Adjacency;

/**
 * Solves a sample of small sub-problems again, by trying all sets (R. Carraghan, P. Pardalos, "An
 * exact algorithm for the maximum clique problem", Oper. Res. Lett. 9, 1990, without its bounds),
 * on rows of the graph as it was loaded. Confined to one worker.
 */
final class MaximumCheck {
    /** Expected number of sub-problems that are drawn. */
    static final int SAMPLED_PROBLEMS = 1024;

    /** Drawn sub-problems with more candidates are left out. */
    static final int MAX_CANDIDATES = 16;

    private final Adjacency rows;
    private final MaximumIndex index;
    private final float linkWeight;
    private final Sample sample;
    private final long oneIn;

    MaximumCheck(Adjacency rows, MaximumIndex index, float linkWeight, Sample sample) {
        this.rows = rows;
        this.index = index;
        this.linkWeight = linkWeight;
        this.sample = sample;
        this.oneIn = Math.max(1, index.graph().vertices() / SAMPLED_PROBLEMS);
    }

    /** True if the sub-problem of this rank belongs to the sample and could hold more. */
    boolean takes(int rank, int size) {
        int candidates = index.graph().degree(rank);
        return candidates >= size && candidates <= MAX_CANDIDATES && sample.takes(rank, oneIn);
    }

    /** True if the sub-problem of this rank has a clique of more than {@code size} vertices. */
    boolean hasLarger(int rank, int size) {
        OrientedGraph graph = index.graph();
        long[] members = new long[MAX_CANDIDATES + 1];
        long[] candidates = new long[graph.degree(rank)];
        members[0] = graph.order().ordinal(rank);
        for (int i = 0; i < candidates.length; i++) {
            candidates[i] = graph.order().ordinal(graph.neighbour(graph.begin(rank) + i));
        }
        return extend(members, 1, candidates, 0, size);
    }

    private boolean extend(long[] members, int count, long[] candidates, int from, int size) {
        if (count > size && hangsTogether(members, count)) {
            return true;
        }
        for (int next = from; next < candidates.length; next++) {
            if (seesAll(candidates[next], members, count)) {
                members[count] = candidates[next];
                if (extend(members, count + 1, candidates, next + 1, size)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean seesAll(long vertex, long[] members, int count) {
        for (int i = 0; i < count; i++) {
            if (!rows.contains(vertex, members[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean hangsTogether(long[] members, int count) {
        boolean[] reached = new boolean[count];
        reached[0] = true;
        int left = count - 1;
        for (boolean grows = true; grows && left > 0; ) {
            grows = false;
            for (int to = 1; to < count; to++) {
                if (!reached[to] && hasLink(members, reached, to)) {
                    reached[to] = true;
                    left--;
                    grows = true;
                }
            }
        }
        return left == 0;
    }

    private boolean hasLink(long[] members, boolean[] reached, int to) {
        for (int from = 0; from < reached.length; from++) {
            if (reached[from] && isLink(members[from], members[to])) {
                return true;
            }
        }
        return false;
    }

    private boolean isLink(long left, long right) {
        for (int place = 0; place < rows.degree(left); place++) {
            if (rows.neighbour(left, place) == right) {
                return rows.weight(left, place) >= linkWeight;
            }
        }
        return false;
    }
}
