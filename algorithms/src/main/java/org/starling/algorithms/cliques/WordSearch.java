package org.starling.algorithms.cliques;

import java.util.Arrays;

/**
 * Bron–Kerbosch on a sub-problem of at most 64 candidates, each set of candidates being one word.
 *
 * <p>Source: Tomita, Tanaka and Takahashi, "The worst-case time complexity for generating all
 * maximal cliques and computational experiments", Theoret. Comput. Sci. 363 (2006): of all
 * candidates and excluded vertices, the pivot is one with the most neighbours among the candidates,
 * and only candidates that are not its neighbours are branched on.
 *
 * <p>Encoding: {@code rows[c]} has the neighbours of candidate c. Of an excluded vertex nothing is
 * kept but the word of its neighbours among the candidates: who it is does not matter. The words of
 * a call lie on a stack, {@code excluded[from … to)}; those of the calls it makes lie above.
 *
 * <p>Invariants at each call: there is a candidate; the words of excluded vertices are subsets of
 * the candidates, not empty, and none is all of them (it would extend every clique found below).
 * Complexity O(3^(c/3)) calls for c candidates, each O(c + excluded vertices).
 *
 * <p>Confined to one worker. Nothing is allocated but for the stack, which keeps the largest size
 * it needed.
 */
final class WordSearch {
    /** Largest number of candidates. */
    static final int MAX_CANDIDATES = Long.SIZE;

    private final int minimumSize;
    private final CliqueSink sink;
    private final BranchCut cut;

    private final long[] rows = new long[MAX_CANDIDATES];
    private final int[] labels = new int[MAX_CANDIDATES];
    private long[] excluded = new long[1 << 10];
    private int excludedCount;
    private int[] members = new int[0];

    /**
     * @param minimumSize smaller cliques are not looked for
     * @param cut says which branches are explored
     */
    WordSearch(int minimumSize, CliqueSink sink, BranchCut cut) {
        this.minimumSize = minimumSize;
        this.sink = sink;
        this.cut = cut;
    }

    /** Forgets the sub-problem before. */
    void begin() {
        excludedCount = 0;
    }

    /**
     * Says who a candidate is.
     *
     * @param candidate its number, from 0
     * @param rank what it is called in the clique
     * @param neighbours its neighbours among the candidates
     */
    void candidate(int candidate, int rank, long neighbours) {
        labels[candidate] = rank;
        rows[candidate] = neighbours;
    }

    /** Adds {@code right} to the neighbours of candidate {@code left}. */
    void connect(int left, int right) {
        rows[left] |= 1L << right;
    }

    /** Adds an excluded vertex by its neighbours among the candidates. */
    void exclude(long neighbours) {
        if (excludedCount == excluded.length) {
            excluded = Arrays.copyOf(excluded, 2 * excludedCount);
        }
        excluded[excludedCount++] = neighbours;
    }

    /**
     * Finds all maximal cliques that contain the given members and else only candidates.
     *
     * @param candidates number of candidates, at least 1
     * @param clique the members, with room for all candidates behind them
     * @param size number of members
     */
    void search(int candidates, int[] clique, int size) {
        members = clique;
        long all = -1L >>> (Long.SIZE - candidates);
        reserve(2 * excludedCount);
        int end = keep(0L, all, 0, excludedCount, excludedCount);
        if (end >= 0) {
            expand(all, excludedCount, end, size);
        }
    }

    private void expand(long candidates, int from, int to, int size) {
        cut.call();
        int others = Long.bitCount(candidates) - 1;
        int best = -1;
        long pivotRow = 0;
        long universal = 0;
        for (long rest = candidates; rest != 0; rest &= rest - 1) {
            long row = rows[Long.numberOfTrailingZeros(rest)] & candidates;
            int cover = Long.bitCount(row);
            if (cover > best) {
                best = cover;
                pivotRow = row;
            }
            if (cover == others) {
                universal |= rest & -rest;
            }
        }
        reserve(to + (to - from) + 2 * MAX_CANDIDATES);
        if (universal != 0) {
            takeAll(universal, candidates, from, to, size);
            return;
        }
        for (int index = from; index < to; index++) {
            int cover = Long.bitCount(excluded[index]);
            if (cover > best) {
                best = cover;
                pivotRow = excluded[index];
            }
        }
        branch(candidates, candidates & ~pivotRow, from, to, size);
    }

    private void branch(long candidates, long branches, int from, int to, int size) {
        long left = candidates;
        int top = to;
        boolean isCut = cut.begins(Long.bitCount(branches));
        int branch = 0;
        for (long rest = branches; rest != 0; rest &= rest - 1) {
            int chosen = Long.numberOfTrailingZeros(rest);
            long bit = 1L << chosen;
            long next = rows[chosen] & left;
            boolean isWanted = !isCut || cut.takes(branch++);
            if (isWanted && size + 1 + Long.bitCount(next) >= minimumSize) {
                int end = keep(bit, next, from, top, top);
                if (end >= 0) {
                    members[size] = labels[chosen];
                    descend(next, top, end, size + 1);
                }
            }
            left ^= bit;
            if (next != 0) {
                excluded[top++] = next;
            }
        }
    }

    /** Candidates that are neighbours of all others belong to every clique found below. */
    private void takeAll(long universal, long candidates, int from, int to, int size) {
        long next = candidates ^ universal;
        int end = keep(universal, next, from, to, to);
        if (end < 0) {
            return;
        }
        int grown = size;
        for (long rest = universal; rest != 0; rest &= rest - 1) {
            members[grown++] = labels[Long.numberOfTrailingZeros(rest)];
        }
        descend(next, to, end, grown);
    }

    private void descend(long next, int from, int to, int size) {
        if (next == 0) {
            if (size >= minimumSize) {
                sink.clique(members, size);
            }
        } else if ((next & (next - 1)) == 0) {
            // An excluded vertex that sees the only candidate would have been all of them.
            members[size] = labels[Long.numberOfTrailingZeros(next)];
            if (size + 1 >= minimumSize) {
                sink.clique(members, size + 1);
            }
        } else {
            expand(next, from, to, size);
        }
    }

    /**
     * Copies the excluded vertices that see all of {@code taken} and some of {@code next} to the
     * stack from {@code end} on.
     *
     * @return where the copies end, or −1 if one of them sees all of {@code next}
     */
    private int keep(long taken, long next, int from, int to, int end) {
        long[] stack = excluded;
        int top = end;
        for (int index = from; index < to; index++) {
            long row = stack[index];
            if ((row & taken) == taken) {
                long seen = row & next;
                if (seen == next) {
                    return -1;
                }
                if (seen != 0) {
                    stack[top++] = seen;
                }
            }
        }
        return top;
    }

    private void reserve(int size) {
        if (size > excluded.length) {
            excluded = Arrays.copyOf(excluded, Math.max(size, 2 * excluded.length));
        }
    }
}
