package org.starling.algorithms.cliques;

import java.util.Arrays;
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
 * tree of links can go), so that only such are looked for. Costs 4 bytes per vertex, and the
 * largest matrix. Confined to one worker.
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

    /** A row is gone through if it is no longer than so many times the number of candidates. */
    private static final int LONG_ROW = 16;

    private final Adjacency rows;
    private final VertexOrder order;
    private final float linkWeight;
    private final long maxCalls;

    /** Number of a candidate, from 1, by ordinal; 0 for other vertices. */
    private final int[] number;

    private long[] candidates = new long[16];
    private int count;
    private int stride;
    private long[] matrix = {};
    private long[] members = new long[16];
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
        this.number = new int[order.size()];
    }

    /** Whether a clique of more than {@code size} vertices has its largest rank here. */
    Finding judge(int rank, int size) {
        long vertex = order.ordinal(rank);
        if (rows.degree(vertex) < size || collect(vertex, rank) < size) {
            return Finding.NONE_LARGER;
        }
        fillMatrix();
        long[] left = new long[stride];
        for (int candidate = 0; candidate < count; candidate++) {
            left[candidate / Long.SIZE] |= 1L << candidate;
        }
        calls = 0;
        members = members.length > size ? members : new long[size + 1];
        members[0] = vertex;
        boolean larger = takeAway(left, size - 1) >= size && extend(left, 1, size);
        return larger ? Finding.LARGER : calls > maxCalls ? Finding.OPEN : Finding.NONE_LARGER;
    }

    private int collect(long vertex, int rank) {
        int degree = rows.degree(vertex);
        if (candidates.length < degree) {
            candidates = new long[degree];
        }
        count = 0;
        for (int i = 0; i < degree; i++) {
            long neighbour = rows.neighbour(vertex, i);
            if (order.rank((int) neighbour) < rank) {
                candidates[count++] = neighbour;
            }
        }
        return count;
    }

    private void fillMatrix() {
        stride = (count + Long.SIZE - 1) / Long.SIZE;
        int words = Math.multiplyExact(count, stride);
        matrix = matrix.length < words ? new long[words] : matrix;
        Arrays.fill(matrix, 0, words, 0L);
        for (int candidate = 0; candidate < count; candidate++) {
            number[(int) candidates[candidate]] = candidate + 1;
        }
        for (int candidate = 0; candidate < count; candidate++) {
            fillRow(candidate);
        }
        for (int candidate = 0; candidate < count; candidate++) {
            number[(int) candidates[candidate]] = 0;
        }
    }

    private void fillRow(int candidate) {
        long vertex = candidates[candidate];
        int degree = rows.degree(vertex);
        if (degree <= LONG_ROW * count) {
            for (int i = 0; i < degree; i++) {
                int other = number[(int) rows.neighbour(vertex, i)];
                if (other != 0) {
                    matrix[candidate * stride + (other - 1) / Long.SIZE] |= 1L << (other - 1);
                }
            }
        } else {
            for (int other = 0; other < count; other++) {
                if (rows.contains(vertex, candidates[other])) {
                    matrix[candidate * stride + other / Long.SIZE] |= 1L << other;
                }
            }
        }
    }

    /** Takes candidates away that see fewer than {@code least} of the others; how many are left. */
    private int takeAway(long[] left, int least) {
        int size = count;
        for (boolean changes = true; changes; ) {
            changes = false;
            for (int candidate = next(left, 0); candidate >= 0; ) {
                if (seen(left, candidate) < least) {
                    left[candidate / Long.SIZE] &= ~(1L << candidate);
                    size--;
                    changes = true;
                }
                candidate = next(left, candidate + 1);
            }
        }
        return size;
    }

    private int seen(long[] set, int candidate) {
        int bits = 0;
        for (int word = 0; word < stride; word++) {
            bits += Long.bitCount(set[word] & matrix[candidate * stride + word]);
        }
        return bits;
    }

    /** Whether {@code wanted} members more make one of the cliques that are looked for. */
    private boolean extend(long[] set, int size, int wanted) {
        if (++calls > maxCalls) {
            return false;
        }
        if (wanted == 0) {
            return linkWeight <= 0 || hangsTogether(size);
        }
        int[] coloured = new int[count];
        int[] colours = new int[count];
        int last = colour(set, coloured, colours) - 1;
        for (int at = last; at >= 0 && colours[at] >= wanted && calls <= maxCalls; at--) {
            int candidate = coloured[at];
            members[size] = candidates[candidate];
            long[] below = new long[stride];
            for (int word = 0; word < stride; word++) {
                below[word] = set[word] & matrix[candidate * stride + word];
            }
            if (extend(below, size + 1, wanted - 1)) {
                return true;
            }
            set[candidate / Long.SIZE] &= ~(1L << candidate);
        }
        return false;
    }

    /** Gives each of a set the first colour that nobody it sees has; how many there are. */
    private int colour(long[] set, int[] coloured, int[] colours) {
        long[] uncoloured = set.clone();
        int done = 0;
        for (int colour = 1; next(uncoloured, 0) >= 0; colour++) {
            long[] free = uncoloured.clone();
            for (int candidate = next(free, 0); candidate >= 0; candidate = next(free, 0)) {
                free[candidate / Long.SIZE] &= ~(1L << candidate);
                uncoloured[candidate / Long.SIZE] &= ~(1L << candidate);
                for (int word = 0; word < stride; word++) {
                    free[word] &= ~matrix[candidate * stride + word];
                }
                coloured[done] = candidate;
                colours[done++] = colour;
            }
        }
        return done;
    }

    private static int next(long[] set, int from) {
        int word = from / Long.SIZE;
        long bits = word < set.length ? set[word] & -1L << from : 0;
        while (bits == 0 && ++word < set.length) {
            bits = set[word];
        }
        return bits == 0 ? -1 : word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    private boolean hangsTogether(int size) {
        boolean[] reached = new boolean[size];
        reached[0] = true;
        int left = size - 1;
        for (boolean grows = true; grows && left > 0; ) {
            grows = false;
            for (int to = 1; to < size; to++) {
                if (!reached[to] && hasLink(reached, members[to])) {
                    reached[to] = true;
                    left--;
                    grows = true;
                }
            }
        }
        return left == 0;
    }

    private boolean hasLink(boolean[] reached, long to) {
        for (int from = 0; from < reached.length; from++) {
            if (reached[from] && isLink(members[from], to)) {
                return true;
            }
        }
        return false;
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
