package org.starling.benchmarks.graph500;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphQueries;
import org.starling.graph.GraphSession;
import org.starling.graph.GraphShare;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.PropertyType;
import org.starling.graph.RowCursor;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;
import org.starling.graph.ShardProgram;
import org.starling.graph.StateCursor;
import org.starling.graph.Structures;

/**
 * A session over {@link FakeGraph}s. Its search is given by the test, so that it may be wrong; what
 * construction makes may be changed by the test, too.
 */
final class FakeSession implements GraphSession {

    static final double SEARCH_SECONDS = 0.5;

    final Map<String, FakeGraph> graphs = new HashMap<>();
    final List<Long> searched = new ArrayList<>();
    private final int shards;
    private BiConsumer<FakeGraph, Integer> search = FakeGraph::search;
    private UnaryOperator<FakeGraph> afterBuild = graph -> graph;

    FakeSession(int shards) {
        this.shards = shards;
    }

    /** Replaces the search. */
    FakeSession searchingBy(BiConsumer<FakeGraph, Integer> other) {
        search = other;
        return this;
    }

    /** Changes every graph that is built. */
    FakeSession building(UnaryOperator<FakeGraph> change) {
        afterBuild = change;
        return this;
    }

    @Override
    public BuildResult build(
            String graph, String source, Parameters parameters, BuildOptions options) {
        EdgeSource edges = provider(source).create(parameters);
        List<long[]> read = new ArrayList<>();
        try {
            for (int part = 0; part < edges.describe().parts(); part++) {
                edges.read(part, sink(read));
            }
            int vertices = (int) edges.describe().vertexCount();
            FakeGraph built =
                    afterBuild.apply(
                            FakeGraph.of(graph, vertices, shards, read.toArray(long[][]::new)));
            graphs.put(graph, built);
            long loops = read.stream().filter(edge -> edge[0] == edge[1]).count();
            return new BuildResult(
                    built.info, loops, read.size() - loops - built.info.edges(), 1.5, 0.75);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public RunResult run(String graph, String name, Parameters parameters, RunOptions options) {
        if (name.equals(Kernels.BFS)) {
            searched.add(parameters.integer(Kernels.SOURCE));
            search.accept(graph(graph), (int) parameters.integer(Kernels.SOURCE));
            return new Searched();
        }
        for (ProgramProvider provider : ServiceLoader.load(ProgramProvider.class)) {
            ProgramFactory factory = provider.programs().get(name);
            if (factory != null) {
                ShardProgram program = (ShardProgram) factory.create(parameters);
                return new FakeRun(graph(graph)).run(program);
            }
        }
        throw new AssertionError("no program " + name);
    }

    @Override
    public void keep(String graph) {
        throw new UnsupportedOperationException("nobody keeps a graph");
    }

    @Override
    public void publish(String graph, String state, String as, boolean replace) {
        throw new UnsupportedOperationException("nobody publishes");
    }

    @Override
    public RowCursor rows(String graph) {
        throw new UnsupportedOperationException("nobody asks for rows");
    }

    @Override
    public StateCursor read(String graph, String state) {
        int[] values = graph(graph).ints(state);
        return new StateCursor() {
            private int at = -1;

            @Override
            public boolean next() {
                return ++at < values.length;
            }

            @Override
            public long ordinal() {
                return at;
            }

            @Override
            public long id() {
                return at;
            }

            @Override
            public long asLong() {
                return values[at];
            }

            @Override
            public double asDouble() {
                return values[at];
            }

            @Override
            public PropertyType type() {
                return PropertyType.INT;
            }

            @Override
            public String text() {
                return Integer.toString(values[at]);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public GraphInfo info(String graph) {
        return graph(graph).info;
    }

    @Override
    public List<GraphShare> shares(String graph) {
        throw new UnsupportedOperationException("shares");
    }

    @Override
    public List<String> graphs() {
        return List.copyOf(graphs.keySet());
    }

    @Override
    public long ordinal(String graph, long id) {
        return id;
    }

    @Override
    public long id(String graph, long ordinal) {
        return ordinal;
    }

    @Override
    public void write(String graph, String state, Path file) {
        throw new UnsupportedOperationException("the fake writes no files");
    }

    @Override
    public BuildResult project(String graph, String vertices, String edges, String as) {
        throw new UnsupportedOperationException("the fake has none");
    }

    @Override
    public GraphQueries queries() {
        throw new UnsupportedOperationException("the fake has none");
    }

    @Override
    public void writeParts(String graph, String state, Path file) {
        throw new UnsupportedOperationException("the fake has none");
    }

    @Override
    public void writeTable(
            String graph, List<String> columns, String format, String ending, Path folder) {
        throw new UnsupportedOperationException("the fake has none");
    }

    @Override
    public Structures structures() {
        throw new UnsupportedOperationException("the fake has none");
    }

    @Override
    public void drop(String graph) {
        graphs.remove(graph);
    }

    private FakeGraph graph(String name) {
        return Objects.requireNonNull(graphs.get(name), name);
    }

    private static EdgeSourceProvider provider(String name) {
        for (EdgeSourceProvider provider : ServiceLoader.load(EdgeSourceProvider.class)) {
            if (provider.name().equals(name)) {
                return provider;
            }
        }
        throw new AssertionError("no source " + name);
    }

    private static EdgeSink sink(List<long[]> edges) {
        return new EdgeSink() {
            @Override
            public void edge(long source, long target, float weight) {
                edges.add(new long[] {source, target});
            }

            @Override
            public void vertex(long id) {
                throw new AssertionError("dense sources name no vertices");
            }
        };
    }

    /** What a search takes. */
    private static final class Searched implements RunResult {

        @Override
        public SortedSet<String> states() {
            return new TreeSet<>();
        }

        @Override
        public int supersteps() {
            return 1;
        }

        @Override
        public long messages() {
            return 0;
        }

        @Override
        public double seconds() {
            return SEARCH_SECONDS;
        }

        @Override
        public long longAggregate(String name) {
            throw new IllegalArgumentException(name);
        }

        @Override
        public double doubleAggregate(String name) {
            throw new IllegalArgumentException(name);
        }

        @Override
        public SortedMap<String, Number> aggregates() {
            return new TreeMap<>();
        }

        @Override
        public long[] histogram(String name) {
            throw new IllegalArgumentException(name);
        }
    }
}
