package org.starling.loaders;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Reads decimal numbers into the nearest {@code float}. Confined to one thread.
 *
 * <p>Up to seven digits, whose value and power of ten are exact in binary32, cost one division;
 * longer ones are left to the JDK.
 */
final class WeightParser {

    /** What {@link #parse} answers when there is no number. */
    static final float NO_NUMBER = Float.NaN;

    /** Longest number, in characters. */
    static final int MAX_CHARACTERS = 64;

    private static final int EXACT_DIGITS = 7;
    private static final float[] POWERS_OF_TEN = {1f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};

    private final byte[] characters = new byte[MAX_CHARACTERS];

    /**
     * Reads a number with sign, fraction and exponent as they come.
     *
     * @return the number; {@link #NO_NUMBER} if there is none. It may be negative or infinite.
     */
    float parse(ByteCursor cursor) throws IOException {
        int length = 0;
        int digits = 0;
        int value = 0;
        int point = -1;
        boolean plain = true;
        for (int next = cursor.peek(); isPartOfNumber(next); next = cursor.peek()) {
            if (length == MAX_CHARACTERS) {
                return NO_NUMBER;
            }
            characters[length++] = (byte) next;
            if (next >= '0' && next <= '9') {
                value = digits < EXACT_DIGITS ? value * 10 + (next - '0') : value;
                digits++;
            } else if (next == '.' && point < 0) {
                point = digits;
            } else {
                plain = false;
            }
            cursor.advance();
        }
        if (plain && digits > 0 && digits <= EXACT_DIGITS) {
            return point < 0 ? value : value / POWERS_OF_TEN[digits - point];
        }
        return slowly(length);
    }

    private float slowly(int length) {
        try {
            return Float.parseFloat(new String(characters, 0, length, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException _) {
            return NO_NUMBER;
        }
    }

    private static boolean isPartOfNumber(int character) {
        return (character >= '0' && character <= '9')
                || character == '.'
                || character == '-'
                || character == '+'
                || character == 'e'
                || character == 'E';
    }
}
