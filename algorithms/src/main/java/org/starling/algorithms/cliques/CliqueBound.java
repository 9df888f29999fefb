package org.starling.algorithms.cliques;

import java.util.BitSet;
import java.util.stream.LongStream;
import org.starling.algorithms.orientation.VertexOrder;
import org.starling.graph.Adjacency;

/**
 * Shows that no clique is larger than one that is known, sub-problem by sub-problem: a larger one
 * would consist of a vertex and so many neighbours of smaller ranks as the known one has members.
 *
 * <p>A sub-problem is done with if there are not so many, or not so many are left when those are
 * taken away, again and again, that see too few others; or if fewer colours are enough for those
 * that are left. What remains is searched, by colours again, up to a number of calls (E. Tomita, T.
 * Seki, "An efficient branch-and-bound algorithm for finding a maximum clique", DMTCS 2003).
 *
 * <p>Works on rows of the graph as it was loaded, and shares nothing with the search but the order
 * of vertices, of which nothing is asked but that every vertex has a rank of its own. If cliques
 * must hang together by links, a larger one would hold one of exactly one member more (leaves of a
 * tree of links can go), so that only such are looked for. Confined to one worker.
 */
final class CliqueBound {
    /** What is known of a sub-problem. */
    enum Finding {
        /** It has no larger clique. */
        NONE_LARGER,
        /** It has one. */
        LARGER,
        /** The calls were not enough to know. */
        OPEN
    }

    private final Adjacency rows;
    private final VertexOrder order;
    private final float linkWeight;
    private final long maxCalls;

    private long[] candidates = {};

    /** Of each candidate those others that it sees. */
    private BitSet[] seen = {};

    private long[] members = {};
    private long calls;

    /**
     * @param rows rows of all vertices, symmetric
     * @param linkWeight cliques must hang together by edges of at least that weight; 0 for any
     * @param maxCalls calls of the search in a sub-problem
     */
    CliqueBound(Adjacency rows, VertexOrder order, float linkWeight, long maxCalls) {
        this.rows = rows;
        this.order = order;
        this.linkWeight = linkWeight;
        this.maxCalls = maxCalls;
    }

    /** Whether a clique of more than {@code size} vertices has its largest rank here. */
    Finding judge(int rank, int size) {
        long vertex = order.ordinal(rank);
        if (rows.degree(vertex) < size) {
            return Finding.NONE_LARGER;
        }
        candidates = smallerRanks(vertex, rank);
        if (candidates.length < size) {
            return Finding.NONE_LARGER;
        }
        seen = new BitSet[candidates.length];
        for (int candidate = 0; candidate < seen.length; candidate++) {
            seen[candidate] = seenBy(candidate);
        }
        members = new long[size + 1];
        members[0] = vertex;
        calls = 0;
        BitSet left = withEnoughOthers(size - 1);
        if (left.cardinality() >= size && extend(left, 1, size)) {
            return Finding.LARGER;
        }
        return calls > maxCalls ? Finding.OPEN : Finding.NONE_LARGER;
    }

    private long[] smallerRanks(long vertex, int rank) {
        return LongStream.range(0, rows.degree(vertex))
                .map(index -> rows.neighbour(vertex, (int) index))
                .filter(neighbour -> order.rank((int) neighbour) < rank)
                .toArray();
    }

    private BitSet seenBy(int candidate) {
        BitSet others = new BitSet(candidates.length);
        for (int other = 0; other < candidates.length; other++) {
            if (rows.contains(candidates[candidate], candidates[other])) {
                others.set(other);
            }
        }
        return others;
    }

    /** What is left when candidates that see fewer than {@code least} others are taken away. */
    private BitSet withEnoughOthers(int least) {
        BitSet left = new BitSet(candidates.length);
        left.set(0, candidates.length);
        for (int before = 0; before != left.cardinality(); ) {
            before = left.cardinality();
            for (int candidate : left.stream().toArray()) {
                if (both(left, seen[candidate]).cardinality() < least) {
                    left.clear(candidate);
                }
            }
        }
        return left;
    }

    /** Whether {@code wanted} members more make one of the cliques that are looked for. */
    private boolean extend(BitSet set, int size, int wanted) {
        if (++calls > maxCalls) {
            return false;
        }
        if (wanted == 0) {
            return linkWeight <= 0 || hangsTogether(size);
        }
        int[] coloured = new int[set.cardinality()];
        int[] colours = new int[coloured.length];
        colour(set, coloured, colours);
        int at = coloured.length - 1;
        for (; at >= 0 && colours[at] >= wanted && calls <= maxCalls; at--) {
            members[size] = candidates[coloured[at]];
            if (extend(both(set, seen[coloured[at]]), size + 1, wanted - 1)) {
                return true;
            }
            set.clear(coloured[at]);
        }
        return false;
    }

    /** Gives each of a set the first colour that nobody it sees has. */
    private void colour(BitSet set, int[] coloured, int[] colours) {
        BitSet uncoloured = (BitSet) set.clone();
        int done = 0;
        for (int colour = 1; !uncoloured.isEmpty(); colour++) {
            BitSet free = (BitSet) uncoloured.clone();
            for (int next = free.nextSetBit(0); next >= 0; next = free.nextSetBit(next + 1)) {
                uncoloured.clear(next);
                free.andNot(seen[next]);
                coloured[done] = next;
                colours[done++] = colour;
            }
        }
    }

    private static BitSet both(BitSet left, BitSet right) {
        BitSet both = (BitSet) left.clone();
        both.and(right);
        return both;
    }

    private boolean hangsTogether(int size) {
        BitSet reached = new BitSet(size);
        reached.set(0);
        for (int before = 0; before != reached.cardinality(); ) {
            before = reached.cardinality();
            for (int member = 1; member < size; member++) {
                long to = members[member];
                if (reached.stream().anyMatch(from -> isLink(members[from], to))) {
                    reached.set(member);
                }
            }
        }
        return reached.cardinality() == size;
    }

    private boolean isLink(long from, long to) {
        for (int i = 0; i < rows.degree(from); i++) {
            if (rows.neighbour(from, i) == to) {
                return rows.weight(from, i) >= linkWeight;
            }
        }
        return false;
    }
}
