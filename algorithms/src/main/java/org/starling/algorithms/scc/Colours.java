package org.starling.algorithms.scc;

/**
 * A fixed bijection between ordinals and colours that leaves no order between the two: the smallest
 * colour of a set of vertices is that of any one of them. Stateless.
 *
 * <p>Source: the finisher of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014); both of its steps, the shift and the product with an odd
 * number, can be undone.
 */
final class Colours {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private static final long FIRST = 0xBF58476D1CE4E5B9L;
    private static final long SECOND = 0x94D049BB133111EBL;
    private static final long FIRST_INVERSE = inverse(FIRST);
    private static final long SECOND_INVERSE = inverse(SECOND);

    private Colours() {}

    /** Colour of a vertex. */
    static long of(long ordinal) {
        long mixed = ordinal + GAMMA;
        mixed = (mixed ^ mixed >>> 30) * FIRST;
        mixed = (mixed ^ mixed >>> 27) * SECOND;
        return mixed ^ mixed >>> 31;
    }

    /** The vertex that a colour belongs to. */
    static long ordinal(long colour) {
        long mixed = (colour ^ colour >>> 31 ^ colour >>> 62) * SECOND_INVERSE;
        mixed = (mixed ^ mixed >>> 27 ^ mixed >>> 54) * FIRST_INVERSE;
        return (mixed ^ mixed >>> 30 ^ mixed >>> 60) - GAMMA;
    }

    /** Newton's method modulo 2<sup>64</sup>: every step doubles the number of right bits. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int rightBits = 3; rightBits < Long.SIZE; rightBits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }
}
