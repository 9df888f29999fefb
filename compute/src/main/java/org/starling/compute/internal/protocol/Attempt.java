package org.starling.compute.internal.protocol;

/**
 * Numbers of attempts: each attempt to make a graph, to run a program or to take a checkpoint has a
 * number that nothing else ever has. The upper half is the master's term, so that numbers of
 * different masters differ and those of newer masters are greater.
 */
public final class Attempt {
    /** The greatest term. */
    public static final long MAX_TERM = Integer.MAX_VALUE;

    private Attempt() {}

    /** The number of a term's attempt. */
    public static long of(long term, int count) {
        if (term < 0 || term > MAX_TERM || count < 0) {
            throw new IllegalArgumentException("term " + term + ", attempt " + count);
        }
        return term << Integer.SIZE | count;
    }

    /** The term of a number. */
    public static long term(long number) {
        return number >>> Integer.SIZE;
    }
}
