package org.starling.benchmarks.graph500;

/**
 * What is wrong and where, in one word, so that an aggregator can keep the first: the smaller the
 * word, the more basic the rule that is broken.
 */
final class Violation {

    /** The word that stands for "nothing is wrong": the identity of a minimum. */
    static final long NONE = Long.MAX_VALUE;

    // Ordinals are below 2⁴².
    private static final int ORDINAL_BITS = 48;

    private Violation() {}

    /** The word for a broken rule. */
    static long of(int rule, long ordinal) {
        return ((long) rule << ORDINAL_BITS) | ordinal;
    }

    /** Which rule is broken. */
    static int rule(long word) {
        return (int) (word >>> ORDINAL_BITS);
    }

    /** Ordinal of the vertex at which it is broken. */
    static long ordinal(long word) {
        return word & ((1L << ORDINAL_BITS) - 1);
    }
}
