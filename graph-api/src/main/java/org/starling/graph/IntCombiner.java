package org.starling.graph;

/**
 * Makes one {@code int} of two. Combiners are associative and commutative, and {@code
 * combine(identity(), x) == x}.
 *
 * <p>The standard ones have kernels of their own in the engine; others work, more slowly.
 */
public interface IntCombiner {
    /** The smallest value. */
    IntCombiner MIN = Standard.MIN;

    /** The largest value. */
    IntCombiner MAX = Standard.MAX;

    /** The sum, wrapping on overflow. */
    IntCombiner SUM = Standard.SUM;

    /** Any one of the values: the engine may stop looking after the first. */
    IntCombiner ANY = Standard.ANY;

    /** One value for two. */
    int combine(int left, int right);

    /** The value that changes nothing. */
    int identity();

    /** Combiners that the engine knows by heart. */
    enum Standard implements IntCombiner {
        /** The smallest value. */
        MIN,
        /** The largest value. */
        MAX,
        /** The sum. */
        SUM,
        /** The right one, whichever that is. */
        ANY;

        @Override
        public int combine(int left, int right) {
            return switch (this) {
                case MIN -> Math.min(left, right);
                case MAX -> Math.max(left, right);
                case SUM -> left + right;
                case ANY -> right;
            };
        }

        @Override
        public int identity() {
            return switch (this) {
                case MIN -> Integer.MAX_VALUE;
                case MAX -> Integer.MIN_VALUE;
                case SUM, ANY -> 0;
            };
        }
    }
}
