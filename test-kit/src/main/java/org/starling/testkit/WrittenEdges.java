package org.starling.testkit;

import java.util.Objects;
import java.util.SortedSet;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/** The edges of a {@link TestGraph}, as a source in a few parts. */
final class WrittenEdges implements EdgeSource {
    static final String NAME = "testkit.edges";
    private static final int PARTS = 4;
    private static final Register<TestGraph> GRAPHS = new Register<>();

    private final TestGraph graph;

    private WrittenEdges(TestGraph graph) {
        this.graph = graph;
    }

    /** Parameters that lead the provider to this graph. */
    static Parameters named(TestGraph graph) {
        return GRAPHS.named(graph);
    }

    /** Forgets what these parameters lead to. */
    static void forget(Parameters parameters) {
        GRAPHS.forget(parameters);
    }

    @Override
    public SourceDescription describe() {
        return new SourceDescription(
                PARTS, false, 0, graph.vertices().size(), graph.edges().size(), graph.isWeighted());
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) {
        long count = 0;
        for (int i = part; i < graph.edges().size(); i += PARTS) {
            TestGraph.Edge edge = graph.edges().get(i);
            sink.edge(edge.from(), edge.to(), edge.weight());
            count++;
        }
        if (part == 0) {
            SortedSet<Long> vertices = graph.vertices();
            vertices.forEach(sink::vertex);
        }
        return new PartSummary(count, 0, count, 0);
    }

    /** Finds graphs of this process. */
    public static final class Provider implements EdgeSourceProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public EdgeSource create(Parameters parameters) {
            return new WrittenEdges(Objects.requireNonNull(GRAPHS.find(parameters)));
        }
    }
}
