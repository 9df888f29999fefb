package org.starling.testkit;

import org.starling.graph.VertexId;

/** What must be true of one vertex of a result. Made by {@link GraphAssert#vertex}. */
public final class VertexAssert {
    private final GraphAssert graph;
    private final GraphResult actual;
    private final long id;

    VertexAssert(GraphAssert graph, GraphResult actual, long id) {
        this.graph = graph;
        this.actual = actual;
        this.id = id;
    }

    /** Requires a value of a state. */
    public VertexAssert has(String state, Number value) {
        Number found = actual.value(state, id);
        graph.require(
                Values.same(GraphAssert.normal(value), found, 0),
                () -> unexpected(state, value.toString(), found));
        return this;
    }

    /** Requires a value of a state, give or take {@code tolerance}. */
    public VertexAssert has(String state, double value, double tolerance) {
        Number found = actual.value(state, id);
        graph.require(
                Math.abs(found.doubleValue() - value) <= tolerance,
                () -> unexpected(state, value + " within " + tolerance, found));
        return this;
    }

    /** Goes on with another vertex. */
    public VertexAssert vertex(long other) {
        return graph.vertex(other);
    }

    /** Goes on with the graph. */
    public GraphAssert graph() {
        return graph;
    }

    private String unexpected(String state, String value, Number found) {
        return "state \"%s\" of vertex %s: expected %s, found %s"
                .formatted(state, VertexId.text(id), value, found);
    }
}
