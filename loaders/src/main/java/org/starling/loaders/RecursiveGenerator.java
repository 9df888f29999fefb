package org.starling.loaders;

/**
 * The random numbers of Graph500: a fifth-order multiple recursive generator modulo 2³¹ − 1, with
 * cheap jumps by any number of steps.
 *
 * <p>Confined to one thread. Source of the method: L'Ecuyer, Blouin and Couture, "A search for good
 * multiple recursive random number generators", 1993; constants and seeding of the Graph500
 * reference generator 3.0.0. A jump costs at most 192 products of a matrix and a state.
 */
final class RecursiveGenerator {

    /** The Mersenne prime 2³¹ − 1. */
    static final long MODULUS = 0x7FFF_FFFFL;

    /** What the newest word is multiplied by. */
    static final long FIRST_FACTOR = 107_374_182L;

    /** What the oldest word is multiplied by. */
    static final long FIFTH_FACTOR = 104_480L;

    private static final int MODULUS_BITS = 31;
    private static final long SEED_MASK = 0x3FFF_FFFFL;
    // The reference's literals for 1 / m and 1 / m², which have more digits, are these doubles.
    private static final double PER_MODULUS = 4.656612875245797e-10;
    private static final double PER_MODULUS_SQUARED = 2.168404346990493e-19;

    // The last five words, newest first; residues, not all zero.
    private long z1;
    private long z2;
    private long z3;
    private long z4;
    private long z5;

    private RecursiveGenerator(long z1, long z2, long z3, long z4, long z5) {
        this.z1 = z1;
        this.z2 = z2;
        this.z3 = z3;
        this.z4 = z4;
        this.z5 = z5;
    }

    /** The state that two unsigned 64-bit seeds of the user give. */
    static RecursiveGenerator seeded(long seed1, long seed2) {
        return new RecursiveGenerator(
                (seed1 & SEED_MASK) + 1,
                ((seed1 >>> 30) & SEED_MASK) + 1,
                (seed2 & SEED_MASK) + 1,
                ((seed2 >>> 30) & SEED_MASK) + 1,
                ((seed2 >>> 60) << 4) + (seed1 >>> 60) + 1);
    }

    /** A generator in the same state. */
    RecursiveGenerator copy() {
        return new RecursiveGenerator(z1, z2, z3, z4, z5);
    }

    /** The next word, from 0 to 2³¹ − 2. */
    long next() {
        long fresh = residue(fold(FIRST_FACTOR * z1 + FIFTH_FACTOR * z5));
        z5 = z4;
        z4 = z3;
        z3 = z2;
        z2 = z1;
        z1 = fresh;
        return fresh;
    }

    /** The next number from 0 to 1, made of two words. */
    double nextDouble() {
        long high = next();
        long low = next();
        return high * PER_MODULUS + low * PER_MODULUS_SQUARED;
    }

    /** The number from 0 to 1, both possible, that one word stands for. */
    static float toFloat(long word) {
        return (float) ((double) (float) word * PER_MODULUS);
    }

    /** Jumps by {@code high}·2¹²⁸ + {@code middle}·2⁶⁴ + {@code low} steps; unsigned words. */
    void skip(long high, long middle, long low) {
        skip(low, 0);
        skip(middle, Long.SIZE);
        skip(high, 2 * Long.SIZE);
    }

    /** The last five words, newest first. */
    long[] state() {
        return new long[] {z1, z2, z3, z4, z5};
    }

    /** A number below 2³³ + 2³¹ that is congruent to the unsigned {@code word}. */
    static long fold(long word) {
        return (word & MODULUS) + (word >>> MODULUS_BITS);
    }

    /** The residue of a number that {@link #fold} made. */
    static long residue(long folded) {
        long word = fold(folded) - MODULUS;
        return word + (MODULUS & (word >> (Long.SIZE - 1)));
    }

    private void skip(long count, int exponent) {
        for (long rest = count; rest != 0; rest &= rest - 1) {
            apply(RecurrenceMatrix.ofPowerOfTwo(exponent + Long.numberOfTrailingZeros(rest)));
        }
    }

    private void apply(RecurrenceMatrix matrix) {
        long n1 = matrix.dot(0, z1, z2, z3, z4, z5);
        long n2 = matrix.dot(1, z1, z2, z3, z4, z5);
        long n3 = matrix.dot(2, z1, z2, z3, z4, z5);
        long n4 = matrix.dot(3, z1, z2, z3, z4, z5);
        long n5 = matrix.dot(4, z1, z2, z3, z4, z5);
        z1 = n1;
        z2 = n2;
        z3 = n3;
        z4 = n4;
        z5 = n5;
    }
}
