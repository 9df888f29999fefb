package org.starling.benchmarks.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an undisturbed and a disturbed run of a job have found differently. Integers, texts and
 * flags must be equal; numbers with a fraction may differ by {@value #TOLERANCE} of the larger one,
 * because additions may happen in another order. Used by one thread.
 */
final class Differences {
    /** Largest difference of two numbers with a fraction, as a share of the larger one. */
    static final double TOLERANCE = 1e-9;

    /** So many are told; all are counted. */
    static final int MAX_TOLD = 20;

    private static final Pattern INTEGER = Pattern.compile("[+-]?\\d+");

    private final List<String> told = new ArrayList<>();
    private long count;
    private long values;

    /** The first of them, each a sentence. */
    List<String> told() {
        return List.copyOf(told);
    }

    /** How many there are. */
    long count() {
        return count;
    }

    /** How many values have been compared. */
    long values() {
        return values;
    }

    void add(String sentence) {
        count++;
        if (told.size() < MAX_TOLD) {
            told.add(sentence);
        }
    }

    /**
     * Compares two JSON trees. Times ({@code seconds}, and names that end in {@code Seconds}) are
     * passed over.
     */
    void compare(String path, @Nullable Object expected, @Nullable Object found) {
        if (expected instanceof Map<?, ?> left && found instanceof Map<?, ?> right) {
            Set<Object> names = new HashSet<>(left.keySet());
            names.addAll(right.keySet());
            for (Object name : names) {
                if (!isTime(name.toString())) {
                    compare(path + "." + name, left.get(name), right.get(name));
                }
            }
        } else if (expected instanceof List<?> left && found instanceof List<?> right) {
            if (left.size() != right.size()) {
                add("%s: %d elements, not %d".formatted(path, right.size(), left.size()));
            }
            for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
                compare(path + "[" + i + "]", left.get(i), right.get(i));
            }
        } else {
            compareValues(path, expected, found);
        }
    }

    /** Compares two lines word by word; words are separated by blanks. */
    void compareLines(String place, String expected, String found) {
        values++;
        if (expected.equals(found)) {
            return;
        }
        String[] left = expected.split(" ", -1);
        String[] right = found.split(" ", -1);
        boolean same = left.length == right.length;
        for (int i = 0; same && i < left.length; i++) {
            same = left[i].equals(right[i]) || isClose(left[i], right[i]);
        }
        if (!same) {
            add("%s: \"%s\", not \"%s\"".formatted(place, found, expected));
        }
    }

    private void compareValues(String path, @Nullable Object expected, @Nullable Object found) {
        values++;
        boolean same =
                (expected instanceof Double left && found instanceof Double right)
                        ? isClose(left, right)
                        : expected == null ? found == null : expected.equals(found);
        if (!same) {
            add("%s: %s, not %s".formatted(path, found, expected));
        }
    }

    private static boolean isTime(String name) {
        return name.equals("seconds") || name.endsWith("Seconds");
    }

    private static boolean isClose(String expected, String found) {
        if (INTEGER.matcher(expected).matches() || INTEGER.matcher(found).matches()) {
            return false;
        }
        try {
            return isClose(Double.parseDouble(expected), Double.parseDouble(found));
        } catch (NumberFormatException words) {
            return false;
        }
    }

    private static boolean isClose(double expected, double found) {
        if (Double.compare(expected, found) == 0) {
            return true;
        }
        double larger = Math.max(Math.abs(expected), Math.abs(found));
        return Double.isFinite(larger) && Math.abs(expected - found) <= TOLERANCE * larger;
    }
}
