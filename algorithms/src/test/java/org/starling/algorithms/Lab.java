package org.starling.algorithms;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
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
                shape.isDirected() ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED);
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

    /** A state as integers, in the order of ordinals. */
    List<Long> integers(String state) {
        List<Long> values = new ArrayList<>();
        try (StateCursor cursor = session.read(graph, state)) {
            while (cursor.next()) {
                values.add(cursor.asLong());
            }
        }
        return values;
    }

    /** A state as floating point numbers, in the order of ordinals. */
    List<Double> numbers(String state) {
        List<Double> values = new ArrayList<>();
        try (StateCursor cursor = session.read(graph, state)) {
            while (cursor.next()) {
                values.add(cursor.asDouble());
            }
        }
        return values;
    }

    /** Replaces a column, as {@link ForgedColumn} was told by its parameters. */
    void forge(Parameters column) {
        session.run(graph, ForgedColumn.NAME, column);
    }

    @Override
    public void close() {
        session.drop(graph);
    }
}
