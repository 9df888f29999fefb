package org.starling.graph;

/**
 * Makes one {@code double} of two. Combiners are associative and commutative, and {@code
 * combine(identity(), x) == x}.
 *
 * <p>The standard ones have kernels of their own in the engine; others work, more slowly.
 */
public interface DoubleCombiner {
    /** The smallest value. */
    DoubleCombiner MIN = Standard.MIN;

    /** The largest value. */
    DoubleCombiner MAX = Standard.MAX;

    /** The sum (floating point: added in the order of neighbours when pulled). */
    DoubleCombiner SUM = Standard.SUM;

    /** Any one of the values: the engine may stop looking after the first. */
    DoubleCombiner ANY = Standard.ANY;

    /** One value for two. */
    double combine(double left, double right);

    /** The value that changes nothing. */
    double identity();

    /** Combiners that the engine knows by heart. */
    enum Standard implements DoubleCombiner {
        /** The smallest value. */
        MIN,
        /** The largest value. */
        MAX,
        /** The sum. */
        SUM,
        /** The right one, whichever that is. */
        ANY;

        @Override
        public double combine(double left, double right) {
            return switch (this) {
                case MIN -> Math.min(left, right);
                case MAX -> Math.max(left, right);
                case SUM -> left + right;
                case ANY -> right;
            };
        }

        @Override
        public double identity() {
            return switch (this) {
                case MIN -> Double.POSITIVE_INFINITY;
                case MAX -> Double.NEGATIVE_INFINITY;
                case SUM, ANY -> 0d;
            };
        }
    }
}
