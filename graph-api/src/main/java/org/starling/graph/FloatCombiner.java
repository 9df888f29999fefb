package org.starling.graph;

/**
 * Makes one {@code float} of two. Combiners are associative and commutative, and {@code
 * combine(identity(), x) == x}.
 *
 * <p>The standard ones have kernels of their own in the engine; others work, more slowly.
 */
public interface FloatCombiner {
    /** The smallest value. */
    FloatCombiner MIN = Standard.MIN;

    /** The largest value. */
    FloatCombiner MAX = Standard.MAX;

    /** The sum (floating point: added in the order of neighbours when pulled). */
    FloatCombiner SUM = Standard.SUM;

    /** Any one of the values: the engine may stop looking after the first. */
    FloatCombiner ANY = Standard.ANY;

    /** One value for two. */
    float combine(float left, float right);

    /** The value that changes nothing. */
    float identity();

    /** Combiners that the engine knows by heart. */
    enum Standard implements FloatCombiner {
        /** The smallest value. */
        MIN,
        /** The largest value. */
        MAX,
        /** The sum. */
        SUM,
        /** The right one, whichever that is. */
        ANY;

        @Override
        public float combine(float left, float right) {
            return switch (this) {
                case MIN -> Math.min(left, right);
                case MAX -> Math.max(left, right);
                case SUM -> left + right;
                case ANY -> right;
            };
        }

        @Override
        public float identity() {
            return switch (this) {
                case MIN -> Float.POSITIVE_INFINITY;
                case MAX -> Float.NEGATIVE_INFINITY;
                case SUM, ANY -> 0f;
            };
        }
    }
}
