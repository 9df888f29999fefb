package org.starling.testkit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.graph.StateCursor;

/** How values of states and results are read and compared. Static functions only. */
final class Values {
    private Values() {}

    /**
     * An element of the cursor's value, which has one unless it is a vector: a {@code long} if it
     * is whole, else a {@code double}.
     */
    static Number of(StateCursor cursor, int index) {
        long whole = cursor.asLong(index);
        double number = cursor.asDouble(index);
        if ((double) whole == number) {
            return whole;
        }
        return number;
    }

    /** Whether two numbers are equal, or differ by so small a part of the larger one, or of 1. */
    static boolean same(Number one, Number other, double tolerance) {
        if (one instanceof Long a && other instanceof Long b && a.equals(b)) {
            return true;
        }
        double a = one.doubleValue();
        double b = other.doubleValue();
        if (tolerance == 0) {
            boolean bothWhole = one instanceof Long && other instanceof Long;
            return !bothWhole && (a == b || (Double.isNaN(a) && Double.isNaN(b)));
        }
        return a == b
                || (Double.isNaN(a) && Double.isNaN(b))
                || Math.abs(a - b) <= tolerance * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
    }

    /** The same for results: lists and maps are compared element by element. */
    static boolean sameResult(@Nullable Object one, @Nullable Object other, double tolerance) {
        return switch (one) {
            case Number a when other instanceof Number b -> same(whole(a), whole(b), tolerance);
            case List<?> a when other instanceof List<?> b -> {
                boolean same = a.size() == b.size();
                for (int i = 0; same && i < a.size(); i++) {
                    same = sameResult(a.get(i), b.get(i), tolerance);
                }
                yield same;
            }
            case Map<?, ?> a when other instanceof Map<?, ?> b -> {
                boolean same = a.keySet().equals(b.keySet());
                for (Object key : a.keySet()) {
                    same = same && sameResult(a.get(key), b.get(key), tolerance);
                }
                yield same;
            }
            case null, default -> Objects.equals(one, other);
        };
    }

    private static Number whole(Number number) {
        return number instanceof Integer ? (Number) number.longValue() : number;
    }
}
