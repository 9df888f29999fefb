package org.starling.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.starling.graph.VertexId;

/**
 * What must be in a result; what is not, is an {@link AssertionError} that names state, vertex and
 * values.
 *
 * <pre>{@code
 * assertThat(result)
 *         .isConvergedWithin(5)
 *         .vertex(1).has("distance", 0)
 *         .vertex(7).has("distance", 3.0)
 *         .hasSameStateAs(expected, "distance");
 * }</pre>
 */
public final class GraphAssert {
    private final GraphResult actual;
    private String description = "";

    private GraphAssert(GraphResult actual) {
        this.actual = actual;
    }

    /** Begins to say what must be in a result. */
    public static GraphAssert assertThat(GraphResult actual) {
        return new GraphAssert(Objects.requireNonNull(actual, "no result"));
    }

    /** What failures begin with. */
    public GraphAssert as(String newDescription) {
        description = newDescription;
        return this;
    }

    /** Requires so many vertices. */
    public GraphAssert hasVertices(long count) {
        require(
                actual.info().vertices() == count,
                () -> "expected " + count + " vertices, found " + actual.info().vertices());
        return this;
    }

    /** Requires so many edges; an undirected one counts once. */
    public GraphAssert hasEdges(long count) {
        require(
                actual.info().edges() == count,
                () -> "expected " + count + " edges, found " + actual.info().edges());
        return this;
    }

    /** Requires that programs took so many supersteps at most, superstep 0 included. */
    public GraphAssert isConvergedWithin(int supersteps) {
        require(
                actual.supersteps() <= supersteps,
                () ->
                        "expected at most %d supersteps, but it took %d"
                                .formatted(supersteps, actual.supersteps()));
        return this;
    }

    /** Requires a value of an aggregator in the last superstep of the only run. */
    public GraphAssert hasAggregate(String name, long value) {
        long found = actual.run().longAggregate(name);
        require(
                found == value,
                () -> "aggregator \"%s\": expected %d, found %d".formatted(name, value, found));
        return this;
    }

    /** Requires a value of an aggregator, give or take {@code tolerance}. */
    public GraphAssert hasAggregate(String name, double value, double tolerance) {
        double found = actual.run().doubleAggregate(name);
        require(
                Math.abs(found - value) <= tolerance,
                () ->
                        "aggregator \"%s\": expected %s within %s, found %s"
                                .formatted(name, value, tolerance, found));
        return this;
    }

    /** Requires a result of a task; numbers may be of any type. */
    public GraphAssert returned(String name, @Nullable Object value) {
        return returned(name, value, 0);
    }

    /** Requires a result of a task, numbers give or take {@code tolerance} of themselves. */
    public GraphAssert returned(String name, @Nullable Object value, double tolerance) {
        Object found = actual.returned(name);
        require(
                Values.sameResult(value, found, tolerance),
                () -> "result \"%s\": expected %s, found %s".formatted(name, value, found));
        return this;
    }

    /** Requires that programs have left a state. */
    public GraphAssert hasState(String name) {
        Objects.requireNonNull(actual.state(name));
        return this;
    }

    /** Requires these values of a state, by id, and no others. */
    public GraphAssert hasState(String name, Map<? extends Number, ? extends Number> values) {
        SortedMap<Long, Number> expected = new TreeMap<>(VertexId.ASCENDING);
        values.forEach((id, value) -> expected.put(id.longValue(), normal(value)));
        compare(name, expected, 0);
        return this;
    }

    /** Requires something of a state at every vertex. */
    public GraphAssert everyVertex(String state, String what, Predicate<Number> holds) {
        actual.state(state)
                .forEach((id, value) ->
                        require(
                                holds.test(value),
                                () ->
                                        "state \"%s\" of vertex %s: expected %s, found %s"
                                                .formatted(state, VertexId.text(id), what, value)));
        return this;
    }

    /** Requires that two results have the same values of a state. */
    public GraphAssert hasSameStateAs(GraphResult expected, String state) {
        return hasSameStateAs(expected, state, 0);
    }

    /** The same, give or take a part of the larger value, or of 1. */
    public GraphAssert hasSameStateAs(GraphResult expected, String state, double tolerance) {
        compare(state, expected.state(state), tolerance);
        return this;
    }

    /** Requires that two results have the same states, and the same values of each. */
    public GraphAssert hasSameStatesAs(GraphResult expected) {
        require(
                expected.states().equals(new TreeSet<>(actual.states())),
                () -> "expected states %s, found %s".formatted(expected.states(), actual.states()));
        expected.states().forEach(state -> hasSameStateAs(expected, state));
        return this;
    }

    /**
     * Goes on with one vertex.
     *
     * @throws AssertionError if a state has no such vertex
     */
    public VertexAssert vertex(long id) {
        return new VertexAssert(this, actual, id);
    }

    void require(boolean holds, java.util.function.Supplier<String> otherwise) {
        if (!holds) {
            throw new AssertionError(
                    (description.isEmpty() ? "" : "[" + description + "] ") + otherwise.get());
        }
    }

    private void compare(String state, SortedMap<Long, Number> expected, double tolerance) {
        List<String> found = new ArrayList<>();
        Difference.compare(state, expected, actual.state(state), tolerance, found);
        require(
                found.isEmpty(),
                () -> "expected (first) is not what was found (second): " + found.getFirst());
    }

    static Number normal(Number value) {
        boolean isWhole =
                value instanceof Long || value instanceof Integer || value instanceof Short;
        return isWhole ? (Number) value.longValue() : (Number) value.doubleValue();
    }
}
