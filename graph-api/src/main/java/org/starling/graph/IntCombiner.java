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
        MIN {
            @Override
            public int combine(int left, int right) {
                return Math.min(left, right);
            }

            @Override
            public int identity() {
                return Integer.MAX_VALUE;
            }
        },
        /** The largest value. */
        MAX {
            @Override
            public int combine(int left, int right) {
                return Math.max(left, right);
            }

            @Override
            public int identity() {
                return Integer.MIN_VALUE;
            }
        },
        /** The sum. */
        SUM {
            @Override
            public int combine(int left, int right) {
                return left + right;
            }

            @Override
            public int identity() {
                return 0;
            }
        },
        /** The right one, whichever that is. */
        ANY {
            @Override
            public int combine(int left, int right) {
                return right;
            }

            @Override
            public int identity() {
                return 0;
            }
        }
    }
}
