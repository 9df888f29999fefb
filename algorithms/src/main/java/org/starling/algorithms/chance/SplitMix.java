package org.starling.algorithms.chance;

/**
 * SplitMix64 as a function of a counter instead of a generator with a state: the n-th number of a
 * stream is known without the ones before it.
 *
 * <p>Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (OOPSLA
 * 2014), with the constants of D. Stafford's variant 13. Stateless.
 */
public final class SplitMix {
    /** The odd number by which counters go on: 2<sup>64</sup> divided by the golden ratio. */
    public static final long GAMMA = 0x9E3779B97F4A7C15L;

    private static final long FIRST = 0xBF58476D1CE4E5B9L;
    private static final long SECOND = 0x94D049BB133111EBL;
    private static final long FIRST_INVERSE = inverse(FIRST);
    private static final long SECOND_INVERSE = inverse(SECOND);

    private SplitMix() {}

    /** A bijection of 64 bits that leaves no order between argument and result. */
    public static long mix(long value) {
        long mixed = (value ^ value >>> 30) * FIRST;
        mixed = (mixed ^ mixed >>> 27) * SECOND;
        return mixed ^ mixed >>> 31;
    }

    /** What {@link #mix} has made this of. */
    public static long unmix(long mixed) {
        long value = (mixed ^ mixed >>> 31 ^ mixed >>> 62) * SECOND_INVERSE;
        value = (value ^ value >>> 27 ^ value >>> 54) * FIRST_INVERSE;
        return value ^ value >>> 30 ^ value >>> 60;
    }

    /** The number at a position of the stream that {@code key} names. */
    public static long at(long key, long position) {
        return mix(key + (position + 1) * GAMMA);
    }

    /**
     * A number from 0 to {@code bound} - 1, made of 64 random bits by a product (D. Lemire, "Fast
     * random integer generation in an interval", ACM TOMACS 29, 2019, without the rejection: no
     * number is likelier than another by more than {@code bound} / 2<sup>64</sup>).
     *
     * @param bound above 0
     */
    public static int below(long random, int bound) {
        return (int) Math.unsignedMultiplyHigh(random, bound);
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
