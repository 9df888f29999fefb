package org.starling.algorithms.cliques;

import java.util.function.IntPredicate;

/**
 * Says which branches of a sub-problem are explored now: those of the first call that branches at
 * all. So a long sub-problem can be ended early and its other branches be explored elsewhere.
 *
 * <p>Branches come in the same order wherever the sub-problem is solved, and calls are counted
 * instead of time, so that where a sub-problem is cut depends on the graph alone. Shared by the
 * searches of one worker, confined to it.
 */
final class BranchCut {
    /** No branch is left. */
    static final int NOTHING = -1;

    private boolean isArmed;
    private int first;
    private IntPredicate wanted = BranchCut::isAny;
    private long maxCalls;
    private long calls;
    private int branches;
    private int next;

    /** Explores all branches, until so many calls have been made. */
    void arm(long newMaxCalls) {
        arm(0, BranchCut::isAny, newMaxCalls);
    }

    /** Explores the wanted ones among the branches from {@code newFirst} on, to their end. */
    void arm(int newFirst, IntPredicate newWanted) {
        arm(newFirst, newWanted, Long.MAX_VALUE);
    }

    private static boolean isAny(int branch) {
        return branch >= 0;
    }

    private void arm(int newFirst, IntPredicate newWanted, long newMaxCalls) {
        isArmed = true;
        first = newFirst;
        wanted = newWanted;
        maxCalls = newMaxCalls;
        calls = 0;
        branches = 0;
        next = 0;
    }

    /** Counts a call of a search. */
    void call() {
        calls++;
    }

    /** A call has so many branches; true if it is the one that is cut. */
    boolean begins(int count) {
        if (!isArmed) {
            return false;
        }
        isArmed = false;
        branches = count;
        next = count;
        return true;
    }

    /** True if this branch of the call that is cut is to be explored. */
    boolean takes(int branch) {
        if (branch < first || !wanted.test(branch)) {
            return false;
        }
        if (calls >= maxCalls) {
            next = Math.min(next, branch);
            return false;
        }
        return true;
    }

    /** The first branch that was not explored for lack of calls, or {@link #NOTHING}. */
    int rest() {
        isArmed = false;
        return next == branches ? NOTHING : next;
    }
}
