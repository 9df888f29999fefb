package org.starling.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starling.graph.InvalidInputException;

/**
 * A number of bytes with a unit, as configurations write it: {@code "4GiB"}.
 *
 * @param bytes how many, not negative
 */
record ByteSize(long bytes) {
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,15})\\s*(B|KiB|MiB|GiB|TiB)");
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
    private static final int UNIT_BITS = 10;
    private static final double MEBIBYTE = 1 << 20;

    /**
     * Reads a text.
     *
     * @throws InvalidInputException if it is no size
     */
    static ByteSize parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new InvalidInputException(
                    "expected a size like \"512MiB\" or \"4GiB\", found \"" + text + "\"");
        }
        int shift = UNIT_BITS * UNITS.indexOf(matcher.group(2));
        long number = Long.parseLong(matcher.group(1));
        if (number > Long.MAX_VALUE >> shift) {
            throw new InvalidInputException("the size \"" + text + "\" is too large");
        }
        return new ByteSize(number << shift);
    }

    /** In the largest unit that makes it a whole number. */
    @Override
    public String toString() {
        int unit = 0;
        long number = bytes;
        while (unit < UNITS.size() - 1 && number != 0 && number % (1 << UNIT_BITS) == 0) {
            number >>= UNIT_BITS;
            unit++;
        }
        return number + UNITS.get(unit);
    }

    /** How a number of bytes is written. */
    static String written(long bytes) {
        return new ByteSize(bytes).toString();
    }

    /** How it is told to people where parts of a mebibyte matter. */
    static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%,.1f MiB", bytes / MEBIBYTE);
    }

    /** How it is told to people where they don't. */
    static String about(long bytes) {
        return bytes < MEBIBYTE ? "less than 1 MiB" : "about " + mebibytes(bytes);
    }
}
