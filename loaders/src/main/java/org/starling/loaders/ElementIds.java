package org.starling.loaders;

import org.jspecify.annotations.Nullable;

/**
 * Turns the ids of GraphML and GML files into numbers: all of them are decimal, or all of them are
 * {@code n} and a decimal number, as many programs write them. Confined to one thread.
 */
final class ElementIds {
    private static final int MAX_DIGITS = 20;

    /** What stands before all numbers; null until the first id was seen. */
    private @Nullable String prefix;

    /** The number of the id that was read last. */
    private long id;

    /**
     * Reads an id.
     *
     * @return what is wrong with it; null if nothing is
     */
    @Nullable String read(String text) {
        String before = text.startsWith("n") ? "n" : "";
        String digits = text.substring(before.length());
        boolean plain =
                !digits.isEmpty()
                        && digits.length() <= MAX_DIGITS
                        && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                        && (digits.equals("0") || digits.charAt(0) != '0');
        if (!plain) {
            return "expected ids that are whole numbers, or n and a whole number, found %s (number the vertices, and keep their names as an attribute)"
                    .formatted(Quote.of(text));
        }
        if (prefix != null && !prefix.equals(before)) {
            return "expected all ids to be written alike, with or without n, found %s (write all of them as numbers)"
                    .formatted(Quote.of(text));
        }
        prefix = before;
        try {
            id = Long.parseUnsignedLong(digits);
            return null;
        } catch (NumberFormatException tooLarge) {
            return "expected an id up to %s, found %s (renumber the vertices)"
                    .formatted(Long.toUnsignedString(-1), Quote.of(text));
        }
    }

    /** The number of the id that was read last. */
    long id() {
        return id;
    }
}
