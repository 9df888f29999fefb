package org.starling.algorithms.cliques;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The best clique that the workers of a node know of, and how large another one must be to be
 * better.
 *
 * <p>A clique is better if it is larger or, being as large, belongs to the sub-problem of a smaller
 * rank. So which one is best in the end does not depend on who found what when. Both travel in one
 * number, the {@link #mark}: larger marks are better.
 *
 * <p>Shared by the workers of a node; safe for use by several threads. Reading costs a volatile
 * read.
 */
final class Incumbent {
    /** Mark of a clique that is known to exist, but not where: every sub-problem may have it. */
    static long markOfSize(int size) {
        return (long) size << Integer.SIZE;
    }

    private volatile long mark;

    /** Ranks of its vertices; null if it was found elsewhere. Guarded by this. */
    private int @Nullable [] members;

    /** Size and sub-problem of the best clique. */
    long mark() {
        return mark;
    }

    /** Number of vertices that a clique of a sub-problem must have to be better. */
    int need(int rank) {
        long best = mark;
        int size = size(best);
        return rank < Integer.MAX_VALUE - (int) best ? Math.max(1, size) : size + 1;
    }

    /** Hears what is known elsewhere. */
    synchronized void raise(long known) {
        if (known > mark) {
            mark = known;
            members = null;
        }
    }

    /** Takes a clique of the sub-problem {@code rank} if it is better. */
    synchronized void offer(int rank, int[] clique, int size) {
        long offered = markOfSize(size) | Integer.MAX_VALUE - rank;
        if (offered > mark) {
            mark = offered;
            members = Arrays.copyOf(clique, size);
        }
    }

    /** Hands out the members of the best clique, once, if it was found here. */
    synchronized int @Nullable [] takeMembers() {
        int[] taken = members;
        members = null;
        return taken;
    }

    /** Number of vertices of the clique of a mark. */
    static int size(long mark) {
        return (int) (mark >>> Integer.SIZE);
    }
}
