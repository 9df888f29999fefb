package org.starling.algorithms.cliques;

import java.util.Arrays;
import org.starling.algorithms.orientation.Sample;
import org.starling.algorithms.orientation.VertexOrder;
import org.starling.graph.Adjacency;

/**
 * Judges a sample of what the clique kernel does, by rows of the graph as it was loaded.
 *
 * <p>Of the cliques that are found, all in tiny graphs and one in {@link #MAX_CLIQUES_ONE_IN} in
 * large ones are looked at: all pairs must be edges, and no further vertex may see all members. Of
 * the small sub-problems, about {@link #SAMPLED_PROBLEMS} are solved again by Bron and Kerbosch's
 * first algorithm (Comm. ACM 16, 1973, algorithm 457), which needs neither pivots nor bits; so
 * missing cliques are found as well as wrong ones. Confined to one worker.
 */
final class CliqueCheck {
    /** At most so many cliques are passed over for one that is looked at. */
    static final int MAX_CLIQUES_ONE_IN = 256;

    /** One more is passed over for so many vertices of the graph. */
    static final int VERTICES_PER_STEP = 64;

    /** Expected number of sub-problems that are drawn to be solved again. */
    static final int SAMPLED_PROBLEMS = 1024;

    /** Drawn sub-problems with more candidates are left out. */
    static final int MAX_CANDIDATES = 12;

    /** Drawn sub-problems with more vertices in all are left out. */
    static final int MAX_DEGREE = 256;

    private final Adjacency rows;
    private final VertexOrder order;
    private final int minimumSize;
    private final Sample sample;
    private final long cliquesOneIn;
    private final long problemsOneIn;

    CliqueCheck(Adjacency rows, VertexOrder order, int minimumSize, long seed) {
        this.rows = rows;
        this.order = order;
        this.minimumSize = minimumSize;
        this.sample = new Sample(seed);
        this.cliquesOneIn = Math.clamp(order.size() / VERTICES_PER_STEP, 1, MAX_CLIQUES_ONE_IN);
        this.problemsOneIn = Math.max(1, order.size() / SAMPLED_PROBLEMS);
    }

    /** True if this clique, given by ranks, belongs to the sample. */
    boolean takesClique(int[] members, int size) {
        if (cliquesOneIn == 1) {
            return true;
        }
        long hash = 0;
        for (int index = 0; index < size; index++) {
            hash += sample.hash(members[index]);
        }
        return sample.takes(hash, cliquesOneIn);
    }

    /** True if these ranks are a clique that no vertex extends. */
    boolean isMaximalClique(int[] members, int size) {
        int rarest = 0;
        for (int left = 0; left < size; left++) {
            for (int right = 0; right < left; right++) {
                if (!isEdge(members[left], members[right])) {
                    return false;
                }
            }
            if (degree(members[left]) < degree(members[rarest])) {
                rarest = left;
            }
        }
        long narrowest = order.ordinal(members[rarest]);
        for (int index = 0; index < rows.degree(narrowest); index++) {
            if (seesAll(rows.neighbour(narrowest, index), members, size)) {
                return false;
            }
        }
        return true;
    }

    /** True if the sub-problem of this rank belongs to the sample. */
    boolean takesProblem(int rank) {
        if (!sample.takes(~rank, problemsOneIn) || degree(rank) > MAX_DEGREE) {
            return false;
        }
        return neighbours(rank, true).length <= MAX_CANDIDATES;
    }

    /** Number of maximal cliques, not too small, in which no vertex has a larger rank. */
    long recount(int rank) {
        return extend(1, neighbours(rank, true), neighbours(rank, false));
    }

    private long extend(int size, int[] candidates, int[] excluded) {
        if (candidates.length == 0) {
            return excluded.length == 0 && size >= minimumSize ? 1 : 0;
        }
        int[] left = candidates;
        int[] done = excluded;
        long count = 0;
        for (int chosen : candidates) {
            count += extend(size + 1, seenBy(chosen, left), seenBy(chosen, done));
            left = Arrays.stream(left).filter(rank -> rank != chosen).toArray();
            done = with(done, chosen);
        }
        return count;
    }

    private int[] neighbours(int rank, boolean smaller) {
        long ordinal = order.ordinal(rank);
        int[] found = new int[rows.degree(ordinal)];
        int count = 0;
        for (int index = 0; index < found.length; index++) {
            int neighbour = order.rank((int) rows.neighbour(ordinal, index));
            if (neighbour < rank == smaller) {
                found[count++] = neighbour;
            }
        }
        return Arrays.copyOf(found, count);
    }

    private int[] seenBy(int chosen, int[] ranks) {
        return Arrays.stream(ranks).filter(rank -> isEdge(chosen, rank)).toArray();
    }

    private static int[] with(int[] ranks, int added) {
        int[] more = Arrays.copyOf(ranks, ranks.length + 1);
        more[ranks.length] = added;
        return more;
    }

    private boolean seesAll(long vertex, int[] members, int size) {
        for (int index = 0; index < size; index++) {
            if (!rows.contains(vertex, order.ordinal(members[index]))) {
                return false;
            }
        }
        return true;
    }

    private boolean isEdge(int left, int right) {
        return rows.contains(order.ordinal(left), order.ordinal(right));
    }

    private int degree(int rank) {
        return rows.degree(order.ordinal(rank));
    }
}
