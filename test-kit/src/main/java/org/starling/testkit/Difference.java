package org.starling.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import org.starling.graph.VertexId;

/** Finds what is not the same in two results, and says so. Static functions only. */
final class Difference {
    /** Vertices that are named; the others are counted. */
    private static final int MAX_NAMED = 5;

    private Difference() {}

    /**
     * Requires that two results are equal.
     *
     * @param ignored states that may differ
     * @param tolerance see {@link Values#same}
     * @throws AssertionError with state, vertices, values, and where each of them came out
     */
    static void refuse(
            GraphResult one, GraphResult other, SortedSet<String> ignored, double tolerance) {
        List<String> found = new ArrayList<>();
        SortedMap<String, SortedMap<Long, Number>> states = one.statesBut(ignored);
        SortedMap<String, SortedMap<Long, Number>> others = other.statesBut(ignored);
        if (!states.keySet().equals(others.keySet())) {
            found.add("states " + states.keySet() + ", but " + others.keySet());
        } else {
            states.forEach((name, values) ->
                    compare(
                            name,
                            values,
                            Objects.requireNonNull(others.get(name)),
                            tolerance,
                            found));
        }
        if (!one.neighbours().equals(other.neighbours())) {
            found.add(
                    "a graph of %d vertices and %d edges, but one of %d and %d, or with others"
                            .formatted(
                                    one.info().vertices(),
                                    one.info().edges(),
                                    other.info().vertices(),
                                    other.info().edges()));
        }
        Object returned = one.returned().orElse(null);
        Object otherReturned = other.returned().orElse(null);
        if (!Values.sameResult(returned, otherReturned, tolerance)) {
            found.add("returned " + returned + ", but " + otherReturned);
        }
        if (!found.isEmpty()) {
            throw new AssertionError(
                    "on %s the job leaves something else (second) than on %s (first):%n  %s%n%s"
                            .formatted(
                                    other.where(),
                                    one.where(),
                                    String.join(System.lineSeparator() + "  ", found),
                                    hint()));
        }
    }

    /** Compares one state. */
    static void compare(
            String state,
            SortedMap<Long, Number> one,
            SortedMap<Long, Number> other,
            double tolerance,
            List<String> found) {
        if (!one.keySet().equals(other.keySet())) {
            found.add(
                    "state \"%s\" of %d vertices, but of %d, or of others"
                            .formatted(state, one.size(), other.size()));
            return;
        }
        int different = 0;
        List<String> named = new ArrayList<>();
        for (var entry : one.entrySet()) {
            Number there = Objects.requireNonNull(other.get(entry.getKey()));
            if (!Values.same(entry.getValue(), there, tolerance)) {
                different++;
                if (named.size() < MAX_NAMED) {
                    named.add(
                            "vertex %s: %s, but %s"
                                    .formatted(
                                            VertexId.text(entry.getKey()),
                                            entry.getValue(),
                                            there));
                }
            }
        }
        if (different > 0) {
            found.add(
                    "state \"%s\" at %d of %d vertices: %s%s"
                            .formatted(
                                    state,
                                    different,
                                    one.size(),
                                    String.join("; ", named),
                                    different > named.size() ? "; …" : ""));
        }
    }

    private static String hint() {
        return "A program leaves the same everywhere if it combines messages by what is the same in any order (MIN, MAX, SUM)"
                + " and keeps nothing in fields, or says so by resumes(). Sums of floating point numbers may differ in their last"
                + " digits: within(1e-9). A state that may be any of several, a parent in a tree for example: ignoring(\"parent\").";
    }
}
