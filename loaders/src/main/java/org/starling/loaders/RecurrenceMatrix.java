package org.starling.loaders;

/**
 * A power of the transition matrix of {@link RecursiveGenerator}: 5 × 5 residues modulo 2³¹ − 1, by
 * rows. Immutable.
 *
 * <p>Applying the n-th power to a state is n steps of the generator at once. All 192 powers whose
 * exponents are powers of two are made when the class is loaded (192 squarings, about a
 * millisecond).
 */
final class RecurrenceMatrix {

    /** Order of the recurrence. */
    static final int ORDER = 5;

    /** Bits of the largest exponent. */
    static final int EXPONENT_BITS = 192;

    private static final RecurrenceMatrix[] POWERS = powers();

    private final long[] entries;

    private RecurrenceMatrix(long[] entries) {
        this.entries = entries;
    }

    /** The matrix for 2^{@code exponent} steps, 0 ≤ {@code exponent} &lt; 192. */
    static RecurrenceMatrix ofPowerOfTwo(int exponent) {
        return POWERS[exponent];
    }

    /** The matrix product: steps of the one after steps of the other. */
    RecurrenceMatrix times(RecurrenceMatrix other) {
        long[] product = new long[ORDER * ORDER];
        for (int row = 0; row < ORDER; row++) {
            for (int column = 0; column < ORDER; column++) {
                long sum = 0;
                for (int k = 0; k < ORDER; k++) {
                    sum += entry(row, k) * other.entry(k, column) % RecursiveGenerator.MODULUS;
                }
                product[row * ORDER + column] = sum % RecursiveGenerator.MODULUS;
            }
        }
        return new RecurrenceMatrix(product);
    }

    /** An entry, for checks and for those who unroll the product themselves. */
    long entry(int row, int column) {
        return entries[row * ORDER + column];
    }

    /**
     * One component of the product of this matrix and a state.
     *
     * @param row which component, from 0
     * @return a residue
     */
    long dot(int row, long z1, long z2, long z3, long z4, long z5) {
        int at = row * ORDER;
        // Four products of residues fit an unsigned word; the fifth is added after a reduction.
        long four =
                entries[at] * z1
                        + entries[at + 1] * z2
                        + entries[at + 2] * z3
                        + entries[at + 3] * z4;
        long five = RecursiveGenerator.fold(four) + entries[at + 4] * z5;
        return RecursiveGenerator.residue(RecursiveGenerator.fold(five));
    }

    private static RecurrenceMatrix[] powers() {
        long[] step = new long[ORDER * ORDER];
        step[0] = RecursiveGenerator.FIRST_FACTOR;
        step[4] = RecursiveGenerator.FIFTH_FACTOR;
        for (int row = 1; row < ORDER; row++) {
            step[row * ORDER + row - 1] = 1;
        }
        RecurrenceMatrix[] powers = new RecurrenceMatrix[EXPONENT_BITS];
        powers[0] = new RecurrenceMatrix(step);
        for (int k = 1; k < EXPONENT_BITS; k++) {
            powers[k] = powers[k - 1].times(powers[k - 1]);
        }
        return powers;
    }
}
