package org.starling.compute.script;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody who mistyped a name may have meant. */
public final class NearestName {
    private static final int LISTED_NAMES = 12;

    private NearestName() {}

    /**
     * The name that takes the fewest insertions, deletions and replacements of characters to get to
     * (Levenshtein, 1966), if no more than a third of the characters need to be touched; the first
     * in alphabetical order among equals.
     */
    public static Optional<String> of(String wanted, Collection<String> names) {
        int reach = Math.max(2, wanted.length() / 3);
        return nearest(wanted, names).filter(name -> distance(wanted, name) <= reach);
    }

    /** The end of an error message: which name may have been meant; empty when none is near. */
    public static String guess(String wanted, Collection<String> names) {
        return of(wanted, names).map(near -> "; did you mean \"" + near + "\"?").orElse("");
    }

    /**
     * The end of an error message: which name may have been meant, or which there are; empty when
     * there are none.
     */
    public static String hint(String wanted, Collection<String> names) {
        String guess = guess(wanted, names);
        if (!guess.isEmpty() || names.isEmpty()) {
            return guess;
        }
        if (names.size() <= LISTED_NAMES) {
            return "; valid: " + String.join(", ", names.stream().sorted().toList());
        }
        return nearest(wanted, names).map(name -> "; the nearest is \"" + name + "\"").orElse("");
    }

    private static Optional<String> nearest(String wanted, Collection<String> names) {
        if (wanted.length() > ScriptBounds.MAX_COMPARED_CHARACTERS) {
            return Optional.empty();
        }
        return names.stream()
                .filter(name -> name.length() <= ScriptBounds.MAX_COMPARED_CHARACTERS)
                .min(
                        Comparator.<String>comparingInt(name -> distance(wanted, name))
                                .thenComparing(Comparator.naturalOrder()));
    }

    /** Row by row over the matrix of distances between prefixes; case does not count. */
    private static int distance(String left, String right) {
        int[] above = new int[right.length() + 1];
        int[] row = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int replaced = above[j - 1] + (sameLetter(left, i - 1, right, j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            int[] done = row;
            row = above;
            above = done;
        }
        return above[right.length()];
    }

    private static boolean sameLetter(String left, int i, String right, int j) {
        return Character.toLowerCase(left.charAt(i)) == Character.toLowerCase(right.charAt(j));
    }
}
