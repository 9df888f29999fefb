package org.starling.algorithms.cliques;

import java.util.Arrays;

/**
 * Bron–Kerbosch on a sub-problem, on bits.
 *
 * <p>Source: Tomita, Tanaka and Takahashi, "The worst-case time complexity for generating all
 * maximal cliques and computational experiments", Theoret. Comput. Sci. 363 (2006): of all
 * candidates and excluded vertices, the pivot is one with the most neighbours among the candidates,
 * and only candidates that are not its neighbours are branched on.
 *
 * <p>Encoding: candidates are numbered 0 … c−1 and excluded vertices from c on; row v of the bit
 * matrix has the neighbours of v among the candidates, {@code stride} words each. The set of
 * candidates of the call at depth d lies at {@code sets[2 d stride]}, what it still has to branch
 * on behind it. Excluded vertices are row numbers on a stack, {@code excluded[from … to)}.
 *
 * <p>Invariants at each call: there is a candidate; every excluded vertex sees some of the
 * candidates, and none sees all (it would extend every clique found below). Complexity O(3^(c/3))
 * calls for c candidates. Memory: 8 bytes for every 64 candidates of every row.
 *
 * <p>Confined to one worker. Nothing is allocated but for arrays that keep the largest size they
 * needed.
 */
final class PivotSearch {
    private final int minimumSize;
    private final CliqueSink sink;
    private final BranchCut cut;

    private int stride;
    private int candidateCount;
    private int rowCount;
    private int[] labels = new int[0];
    private long[] rows = new long[0];
    private long[] sets = new long[0];
    private int[] excluded = new int[0];
    private int[] members = new int[0];

    /**
     * @param minimumSize smaller cliques are not looked for
     * @param cut says which branches are explored
     */
    PivotSearch(int minimumSize, CliqueSink sink, BranchCut cut) {
        this.minimumSize = minimumSize;
        this.sink = sink;
        this.cut = cut;
    }

    /** Forgets the sub-problem before. */
    void begin(int candidates) {
        candidateCount = candidates;
        rowCount = candidates;
        stride = (candidates + Long.SIZE - 1) / Long.SIZE;
        if (labels.length < candidates) {
            labels = new int[candidates];
        }
        int words = Math.multiplyExact(candidates, stride);
        if (rows.length < words) {
            rows = new long[words];
        }
        Arrays.fill(rows, 0, words, 0L);
    }

    /** Says which rank a candidate has. */
    void label(int candidate, int rank) {
        labels[candidate] = rank;
    }

    /** Adds the edge between two candidates. */
    void connect(int left, int right) {
        set(left, right);
        set(right, left);
    }

    /** Adds an excluded vertex by its neighbours among the candidates, of which there are some. */
    void exclude(int[] neighbours, int count) {
        int end = Math.multiplyExact(rowCount + 1, stride);
        if (rows.length < end) {
            rows = Arrays.copyOf(rows, Math.max(end, rows.length + (rows.length >> 1)));
        }
        Arrays.fill(rows, end - stride, end, 0L);
        for (int index = 0; index < count; index++) {
            set(rowCount, neighbours[index]);
        }
        rowCount++;
    }

    /**
     * Finds all maximal cliques that contain the given members and else only candidates. No
     * excluded vertex sees all candidates.
     *
     * @param clique the members, with room for all candidates behind them
     * @param size number of members
     */
    void search(int[] clique, int size) {
        members = clique;
        int excludedCount = rowCount - candidateCount;
        reserve(0, excludedCount);
        for (int index = 0; index < excludedCount; index++) {
            excluded[index] = candidateCount + index;
        }
        for (int word = 0; word < stride; word++) {
            int left = Math.min(Long.SIZE, candidateCount - word * Long.SIZE);
            sets[word] = -1L >>> (Long.SIZE - left);
        }
        expand(0, 0, excludedCount, size);
    }

    private void expand(int depth, int from, int to, int size) {
        cut.call();
        int candidates = 2 * depth * stride;
        int count = count(candidates);
        reserve(depth + 1, to + (to - from) + 2 * count);
        int pivot = -1;
        int best = -1;
        for (int v = next(candidates, 0); v >= 0; v = next(candidates, v + 1)) {
            int cover = cover(v, candidates);
            if (cover == count - 1) {
                takeOne(v, depth, from, to, size);
                return;
            }
            if (cover > best) {
                best = cover;
                pivot = v;
            }
        }
        for (int index = from; index < to; index++) {
            int cover = cover(excluded[index], candidates);
            if (cover > best) {
                best = cover;
                pivot = excluded[index];
            }
        }
        for (int word = 0; word < stride; word++) {
            sets[candidates + stride + word] =
                    sets[candidates + word] & ~rows[pivot * stride + word];
        }
        branch(depth, from, to, size);
    }

    private void branch(int depth, int from, int to, int size) {
        int candidates = 2 * depth * stride;
        int branches = candidates + stride;
        int below = candidates + 2 * stride;
        int top = to;
        boolean isCut = cut.begins(count(branches));
        int branch = 0;
        for (int v = next(branches, 0); v >= 0; v = next(branches, v + 1)) {
            int count = intersect(v, candidates, below);
            boolean isWanted = !isCut || cut.takes(branch++);
            if (isWanted && size + 1 + count >= minimumSize) {
                int end = keep(v, below, count, from, top);
                if (end >= 0) {
                    members[size] = labels[v];
                    descend(depth + 1, count, top, end, size + 1);
                }
            }
            sets[candidates + v / Long.SIZE] ^= 1L << v;
            if (count > 0) {
                excluded[top++] = v;
            }
        }
    }

    /** A candidate that is a neighbour of all others belongs to every clique found below. */
    private void takeOne(int v, int depth, int from, int to, int size) {
        int candidates = 2 * depth * stride;
        int below = candidates + 2 * stride;
        int count = intersect(v, candidates, below);
        int end = keep(v, below, count, from, to);
        if (end >= 0) {
            members[size] = labels[v];
            descend(depth + 1, count, to, end, size + 1);
        }
    }

    private void descend(int depth, int count, int from, int to, int size) {
        if (count > 1) {
            expand(depth, from, to, size);
            return;
        }
        if (count == 1) {
            // An excluded vertex that sees the only candidate would have seen all of them.
            members[size] = labels[next(2 * depth * stride, 0)];
        }
        if (size + count >= minimumSize) {
            sink.clique(members, size + count);
        }
    }

    /**
     * Copies the excluded vertices of {@code [from … to)} that see {@code taken} and some of the
     * candidates at {@code next} to the stack from {@code to} on.
     *
     * @return where the copies end, or −1 if one of them sees all candidates
     */
    private int keep(int taken, int next, int count, int from, int to) {
        int top = to;
        for (int index = from; index < to; index++) {
            int row = excluded[index];
            if ((rows[row * stride + taken / Long.SIZE] >>> taken & 1) != 0) {
                int cover = cover(row, next);
                if (cover == count) {
                    return -1;
                }
                if (cover > 0) {
                    excluded[top++] = row;
                }
            }
        }
        return top;
    }

    private int intersect(int row, int set, int into) {
        int count = 0;
        for (int word = 0; word < stride; word++) {
            long both = rows[row * stride + word] & sets[set + word];
            sets[into + word] = both;
            count += Long.bitCount(both);
        }
        return count;
    }

    private int cover(int row, int set) {
        int count = 0;
        for (int word = 0; word < stride; word++) {
            count += Long.bitCount(rows[row * stride + word] & sets[set + word]);
        }
        return count;
    }

    private int count(int set) {
        int count = 0;
        for (int word = 0; word < stride; word++) {
            count += Long.bitCount(sets[set + word]);
        }
        return count;
    }

    /** The first element of a set that is not smaller than {@code from}; −1 if there is none. */
    private int next(int set, int from) {
        int word = from / Long.SIZE;
        if (word >= stride) {
            return -1;
        }
        long bits = sets[set + word] & (-1L << from);
        while (bits == 0) {
            if (++word == stride) {
                return -1;
            }
            bits = sets[set + word];
        }
        return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    private void set(int row, int candidate) {
        rows[row * stride + candidate / Long.SIZE] |= 1L << candidate;
    }

    /** Makes room for the sets of a depth and for so many excluded vertices. */
    private void reserve(int depth, int excludedCount) {
        int words = Math.multiplyExact(2 * (depth + 1), stride);
        if (sets.length < words) {
            sets = Arrays.copyOf(sets, Math.max(words, 2 * sets.length));
        }
        if (excluded.length < excludedCount) {
            excluded = Arrays.copyOf(excluded, Math.max(excludedCount, 2 * excluded.length));
        }
    }
}
