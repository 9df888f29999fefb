package org.starling.loaders;

import java.io.IOException;

/**
 * Codes of numbers that are not negative, shorter for smaller ones. Sources: Elias: Universal
 * Codeword Sets and Representations of the Integers (1975) for γ and δ; Boldi, Vigna: Codes for the
 * World Wide Web (2005) for ζ and nibbles.
 */
enum BitCode {
    /** As many zeros, and a one. */
    UNARY {
        @Override
        long read(BitReader bits, int shrinking) throws IOException {
            return bits.unary(MAX_UNARY);
        }
    },
    /** The length of the number plus one in unary, and its bits behind the first. */
    GAMMA {
        @Override
        long read(BitReader bits, int shrinking) throws IOException {
            int length = (int) bits.unary(MAX_BITS);
            return (1L << length | bits.next(length)) - 1;
        }
    },
    /** The same with the length in {@link #GAMMA}. */
    DELTA {
        @Override
        long read(BitReader bits, int shrinking) throws IOException {
            long length = GAMMA.read(bits, shrinking);
            if (length > MAX_BITS) {
                throw bits.tooLarge();
            }
            return (1L << length | bits.next((int) length)) - 1;
        }
    },
    /** The length, in steps of so many bits, in unary, and a minimal binary code. */
    ZETA {
        @Override
        long read(BitReader bits, int shrinking) throws IOException {
            int least = (int) bits.unary(MAX_BITS / shrinking - 1) * shrinking;
            long left = 1L << least;
            long number = bits.next(least + shrinking - 1);
            return number < left ? number + left - 1 : (number << 1) + bits.next(1) - 1;
        }
    },
    /** Groups of three bits, each behind a bit that is one before the last group. */
    NIBBLE {
        @Override
        long read(BitReader bits, int shrinking) throws IOException {
            long number = 0;
            for (int length = 0; length < MAX_BITS; length += NIBBLE_BITS) {
                boolean last = bits.next(1) == 1;
                number = number << NIBBLE_BITS | bits.next(NIBBLE_BITS);
                if (last) {
                    return number;
                }
            }
            throw bits.tooLarge();
        }
    };

    /** Largest parameter of ζ. */
    static final int MAX_SHRINKING = 16;

    /** Numbers have so many bits at most, so that sums of two don't overflow. */
    private static final int MAX_BITS = 60;

    private static final int MAX_UNARY = 1 << 20;
    private static final int NIBBLE_BITS = 3;

    /**
     * Reads a number.
     *
     * @param shrinking the parameter of ζ, 1 to {@link #MAX_SHRINKING}
     */
    abstract long read(BitReader bits, int shrinking) throws IOException;
}
