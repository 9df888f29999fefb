package org.starling.algorithms.cliques;

import java.util.function.IntPredicate;
import org.starling.algorithms.orientation.OrientedGraph;

/**
 * Finds the maximal cliques of a graph, one sub-problem per vertex.
 *
 * <p>Source: Eppstein, Löffler and Strash, "Listing all maximal cliques in sparse graphs in
 * near-optimal time" (ISAAC 2010): the cliques of the sub-problem of v are those of which v is the
 * first to be taken away in a degeneracy order. Its candidates are the neighbours taken away later
 * (smaller ranks, at most the degeneracy of the graph), its excluded vertices those taken away
 * earlier (larger ranks). Every maximal clique belongs to exactly one sub-problem.
 *
 * <p>Encoding: a sub-problem is renumbered into a bit matrix (San Segundo, Artieda and Strash,
 * "Efficiently enumerating all maximal cliques with bit-parallelism", Comput. Oper. Res. 92, 2018):
 * rows for candidates and excluded vertices, columns for candidates. Edges between excluded
 * vertices are never needed, so that all edges of the matrix are found in rows of the graph that is
 * directed towards smaller ranks.
 *
 * <p>Invariant between calls: {@code number[r] == 0} for all ranks. Complexity O(d n 3^(d/3)) for
 * degeneracy d; making the matrices costs O(d m). Memory: 4 bytes per vertex, and the largest
 * matrix. Confined to one worker.
 */
final class CliqueKernel {
    private final OrientedGraph smaller;
    private final OrientedGraph larger;
    private final int minimumSize;
    private final CliqueSink sink;
    private final BranchCut cut = new BranchCut();
    private final PivotSearch search;

    /** Number of a candidate of this sub-problem, from 1; 0 for other vertices. */
    private final int[] number;

    private final int[] seen;
    private final int[] members;

    /**
     * @param smaller the graph directed towards smaller ranks
     * @param larger the same graph directed towards larger ranks
     * @param minimumSize smaller cliques are not looked for
     */
    CliqueKernel(OrientedGraph smaller, OrientedGraph larger, int minimumSize, CliqueSink sink) {
        this.smaller = smaller;
        this.larger = larger;
        this.minimumSize = minimumSize;
        this.sink = sink;
        this.search = new PivotSearch(minimumSize, sink, cut);
        this.number = new int[smaller.vertices()];
        int degeneracy = smaller.largestDegree();
        this.seen = new int[degeneracy];
        this.members = new int[degeneracy + 1];
    }

    /**
     * Finds the maximal cliques in which no vertex has a larger rank than {@code rank}.
     *
     * @param maxCalls no further branch is begun when the search has made so many calls
     * @return the first branch left for {@link #resume}; {@link BranchCut#NOTHING} if all were
     *     found
     */
    int enumerate(int rank, long maxCalls) {
        cut.arm(maxCalls);
        solve(rank);
        return cut.rest();
    }

    /**
     * Finds those of the cliques that {@link #enumerate} has left that lie in wanted branches.
     *
     * @param first what it returned
     */
    void resume(int rank, int first, IntPredicate wanted) {
        cut.arm(first, wanted);
        solve(rank);
        cut.rest();
    }

    private void solve(int rank) {
        int candidates = smaller.degree(rank);
        if (candidates + 1 < minimumSize) {
            return;
        }
        members[0] = rank;
        if (candidates == 0) {
            if (larger.degree(rank) == 0) {
                sink.clique(members, 1);
            }
            return;
        }
        numberCandidates(rank);
        if (describe(rank, candidates)) {
            search.search(members, 1);
        }
        forgetCandidates(rank);
    }

    /**
     * Fills the matrix; false if an excluded vertex sees all candidates, so that nothing is
     * maximal.
     */
    private boolean describe(int rank, int candidates) {
        search.begin(candidates);
        for (int index = larger.begin(rank); index < larger.end(rank); index++) {
            int count = collect(larger.neighbour(index));
            if (count == candidates) {
                return false;
            }
            if (count > 0) {
                search.exclude(seen, count);
            }
        }
        for (int candidate = 0; candidate < candidates; candidate++) {
            int vertex = smaller.neighbour(smaller.begin(rank) + candidate);
            search.label(candidate, vertex);
            int count = collect(vertex);
            for (int index = 0; index < count; index++) {
                search.connect(seen[index], candidate);
            }
        }
        return true;
    }

    /** Candidates among the neighbours of smaller rank, as numbers. */
    private int collect(int vertex) {
        int count = 0;
        int end = smaller.end(vertex);
        for (int index = smaller.begin(vertex); index < end; index++) {
            int candidate = number[smaller.neighbour(index)];
            if (candidate != 0) {
                seen[count++] = candidate - 1;
            }
        }
        return count;
    }

    private void numberCandidates(int rank) {
        int begin = smaller.begin(rank);
        for (int index = begin; index < smaller.end(rank); index++) {
            number[smaller.neighbour(index)] = index - begin + 1;
        }
    }

    private void forgetCandidates(int rank) {
        for (int index = smaller.begin(rank); index < smaller.end(rank); index++) {
            number[smaller.neighbour(index)] = 0;
        }
    }
}
