package org.starling.graph;

/**
 * Makes one {@code long} of two. Combiners are associative and commutative, and {@code
 * combine(identity(), x) == x}.
 *
 * <p>The standard ones have kernels of their own in the engine; others work, more slowly.
 */
public interface LongCombiner {
    /** The smallest value. */
    LongCombiner MIN = Standard.MIN;

    /** The largest value. */
    LongCombiner MAX = Standard.MAX;

    /** The sum, wrapping on overflow. */
    LongCombiner SUM = Standard.SUM;

    /** Any one of the values: the engine may stop looking after the first. */
    LongCombiner ANY = Standard.ANY;

    /** One value for two. */
    long combine(long left, long right);

    /** The value that changes nothing. */
    long identity();

    /** Combiners that the engine knows by heart. */
    enum Standard implements LongCombiner {
        /** The smallest value. */
        MIN,
        /** The largest value. */
        MAX,
        /** The sum. */
        SUM,
        /** The right one, whichever that is. */
        ANY;

        @Override
        public long combine(long left, long right) {
            return switch (this) {
                case MIN -> Math.min(left, right);
                case MAX -> Math.max(left, right);
                case SUM -> left + right;
                case ANY -> right;
            };
        }

        @Override
        public long identity() {
            return switch (this) {
                case MIN -> Long.MAX_VALUE;
                case MAX -> Long.MIN_VALUE;
                case SUM, ANY -> 0L;
            };
        }
    }
}
