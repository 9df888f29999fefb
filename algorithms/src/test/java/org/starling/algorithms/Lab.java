package org.starling.algorithms;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;
import org.starling.graph.StateCursor;

/** One graph on one cluster, for the length of a test. */
final class Lab implements AutoCloseable {
    private static final int PARTS = 5;
    private static final AtomicInteger GRAPHS = new AtomicInteger();

    private final GraphSession session;
    private final String graph;

    private Lab(GraphSession session, String graph) {
        this.session = session;
        this.graph = graph;
    }

    /** A graph of that shape on a cluster of so many peers. */
    static Lab of(int peers, Shape shape) {
        return of(
                peers,
                ListedEdges.NAME,
                ListedEdges.parameters(shape.ids(), shape.ends(), PARTS),
                shape.options());
    }

    /** A graph of that source on a cluster of so many peers. */
    static Lab of(int peers, String source, Parameters parameters, BuildOptions options) {
        GraphSession session = Clusters.session(peers);
        String graph = "g" + GRAPHS.incrementAndGet();
        session.build(graph, source, parameters, options);
        return new Lab(session, graph);
    }

    GraphSession session() {
        return session;
    }

    String graph() {
        return graph;
    }

    /** A state as integers, in the order of ids. */
    List<Long> integers(String state) {
        List<Long> values = new ArrayList<>();
        try (StateCursor cursor = session.read(graph, state)) {
            while (cursor.next()) {
                values.add(cursor.asLong());
            }
        }
        return values;
    }

    /** A state as floating point numbers, in the order of ids. */
    List<Double> numbers(String state) {
        List<Double> values = new ArrayList<>();
        try (StateCursor cursor = session.read(graph, state)) {
            while (cursor.next()) {
                values.add(cursor.asDouble());
            }
        }
        return values;
    }

    /**
     * A state that holds ordinals of vertices, or negative numbers: places of their ids instead.
     */
    List<Long> vertices(String state) {
        List<Integer> places = places();
        return integers(state).stream()
                .map(v -> v < 0 ? v : places.get(v.intValue()).longValue())
                .toList();
    }

    /** Of each vertex, in the order of ids: its ordinal. */
    List<Long> ordinals() {
        List<Integer> places = places();
        Long[] ordinals = new Long[places.size()];
        for (int ordinal = 0; ordinal < ordinals.length; ordinal++) {
            ordinals[places.get(ordinal)] = (long) ordinal;
        }
        return List.of(ordinals);
    }

    /** Ordinals of vertices that are given by the places of their ids; others stay as they are. */
    List<Long> ordinals(List<Long> vertices) {
        List<Long> ordinals = ordinals();
        return vertices.stream()
                .map(v -> v < 0 || v >= ordinals.size() ? v : ordinals.get(v.intValue()))
                .toList();
    }

    /** Replaces a column, as {@link ForgedColumn} was told by its parameters. */
    void forge(Parameters column) {
        session.run(graph, ForgedColumn.NAME, ForgedColumn.placed(column, places()));
    }

    /** Of each ordinal: the place of its id among all ids. */
    private List<Integer> places() {
        List<Long> ids = new ArrayList<>();
        try (RowCursor rows = session.rows(graph)) {
            while (rows.next()) {
                ids.add(rows.id());
            }
        }
        List<Long> sorted = ids.stream().sorted(Long::compareUnsigned).toList();
        return ids.stream()
                .map(id -> Collections.binarySearch(sorted, id, Long::compareUnsigned))
                .toList();
    }

    @Override
    public void close() {
        session.drop(graph);
    }
}
