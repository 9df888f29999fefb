package org.starling.graph;

import java.util.regex.Pattern;

/**
 * Names of kept graphs and their columns; those of graphs stand in paths of an interface and on
 * command lines.
 */
final class KeptName {
    private static final Pattern NAME =
            Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.+@ -]{0,127}");

    private static final int MAX_COLUMN = 128;

    /** What the column of ids is called where columns are handed out. */
    private static final String ID = "id";

    private KeptName() {}

    static void requireColumn(String name) {
        if (name.isEmpty() || name.length() > MAX_COLUMN) {
            throw new InvalidInputException(
                    "a column has a name of 1 to %d characters, not %d"
                            .formatted(MAX_COLUMN, name.length()));
        }
    }

    static void requirePublished(String name) {
        requireColumn(name);
        if (name.equals(ID)) {
            throw new InvalidInputException(
                    "\"id\" is the column of ids where columns are handed out; take another name");
        }
    }

    static void require(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidInputException(
                    "a graph that is kept has a name of 1 to 128 letters, digits, blanks and _ . + - @, which begins with a letter, a digit or _, not \"%s\""
                            .formatted(name));
        }
    }
}
