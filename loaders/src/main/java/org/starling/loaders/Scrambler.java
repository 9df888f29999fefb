package org.starling.loaders;

/**
 * The permutation of vertex ids that hides where in the Kronecker matrix a vertex stands: a
 * bijection of 0 … 2^scale − 1. Immutable.
 */
final class Scrambler {

    // Where in the random sequence the two values come from: 50·2¹²⁸ + 7·2⁶⁴ steps on.
    private static final long SKIP_HIGH = 50;
    private static final long SKIP_MIDDLE = 7;
    private static final long WORD_FACTOR = 0xFFFF_FFFFL;
    private static final long FIRST_BITS = 0x4519_8402_1149_3211L;
    private static final long SECOND_BITS = 0x3050_8521_02C8_43A5L;

    private final long addend;
    private final long firstFactor;
    private final long secondFactor;
    private final int shift;

    private Scrambler(long first, long second, int scale) {
        this.addend = first + second;
        this.firstFactor = first | FIRST_BITS;
        this.secondFactor = second | SECOND_BITS;
        this.shift = Long.SIZE - scale;
    }

    /** The permutation of a graph, from its seeded generator. */
    static Scrambler of(RecursiveGenerator seeded, int scale) {
        RecursiveGenerator generator = seeded.copy();
        generator.skip(SKIP_HIGH, SKIP_MIDDLE, 0);
        long first = generator.next() * WORD_FACTOR + generator.next();
        long second = generator.next() * WORD_FACTOR + generator.next();
        return new Scrambler(first, second, scale);
    }

    /** The id of the vertex that stands at {@code position} in the matrix. */
    long scramble(long position) {
        long word = (position + addend) * firstFactor;
        word = (Long.reverse(word) >>> shift) * secondFactor;
        return Long.reverse(word) >>> shift;
    }
}
