package org.starling.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starling.graph.BuildOptions;
import org.starling.graph.Parameters;

/**
 * A small graph for a test: written down edge by edge, generated, or of a named source. As
 * everywhere, self-loops and duplicate edges are dropped. Used by one thread.
 *
 * <pre>{@code
 * TestGraph roads = TestGraph.undirected().edge(1, 2, 0.5).edge(2, 3, 1);
 * TestGraph web = TestGraph.random(7, 400, 2_000).oneWay();
 * }</pre>
 */
public final class TestGraph {
    /** Fewest vertices that lie on as many peers as there are in the largest trial. */
    static final int SPREAD_VERTICES = 6 * 64;

    private static final int EDGES_PER_GROWN_VERTEX = 3;
    private static final int GROWN_WEIGHTS = 8;

    /** An edge as it was written down. */
    record Edge(long from, long to, float weight) {}

    private final List<Edge> edges = new ArrayList<>();
    private final SortedSet<Long> vertices = new TreeSet<>(Long::compareUnsigned);
    private final @Nullable String source;
    private final Parameters parameters;
    private BuildOptions options;
    private boolean weighted;

    private TestGraph(BuildOptions options, @Nullable String source, Parameters parameters) {
        this.options = options;
        this.source = source;
        this.parameters = parameters;
    }

    /** A graph without vertices, whose edges go both ways. */
    public static TestGraph undirected() {
        return new TestGraph(BuildOptions.UNDIRECTED, null, Parameters.NONE);
    }

    /** A graph without vertices, whose edges go one way. */
    public static TestGraph directed() {
        return undirected().oneWay();
    }

    /**
     * What a source gives that {@link java.util.ServiceLoader} finds, as scripts name it: a loader
     * or generator of the box, or one of the job's own.
     *
     * @param source name of an {@link org.starling.graph.EdgeSourceProvider}
     */
    public static TestGraph of(String source, Parameters parameters, BuildOptions options) {
        return new TestGraph(options, source, parameters);
    }

    /** Vertices 1 to {@code count}, each with an edge to the next. */
    public static TestGraph path(int count) {
        TestGraph graph = undirected().vertex(1);
        for (int v = 1; v < count; v++) {
            graph.edge(v, v + 1);
        }
        return graph;
    }

    /** A path whose last vertex has an edge to the first. */
    public static TestGraph ring(int count) {
        return path(count).edge(count, 1);
    }

    /** Vertex 1, with an edge to each of 2 to {@code count}. */
    public static TestGraph star(int count) {
        TestGraph graph = undirected().vertex(1);
        for (int v = 2; v <= count; v++) {
            graph.edge(1, v);
        }
        return graph;
    }

    /** Vertices 1 to {@code count}, each with an edge to every other one. */
    public static TestGraph complete(int count) {
        TestGraph graph = undirected().vertex(1);
        for (int v = 2; v <= count; v++) {
            for (int w = 1; w < v; w++) {
                graph.edge(w, v);
            }
        }
        return graph;
    }

    /** A grid; the vertex in row r and column c, both from 0, is {@code r * columns + c + 1}. */
    public static TestGraph grid(int rows, int columns) {
        TestGraph graph = undirected();
        for (int v = 0; v < rows * columns; v++) {
            graph.vertex(v + 1);
            if (v % columns < columns - 1) {
                graph.edge(v + 1, v + 2);
            }
            if (v / columns < rows - 1) {
                graph.edge(v + 1, v + 1 + columns);
            }
        }
        return graph;
    }

    /**
     * Vertices 1 to {@code vertices} with edges between drawn ones. From 384 vertices on a graph
     * lies on all peers of a trial.
     *
     * @param edges number of draws; self-loops and duplicates among them are dropped later
     */
    public static TestGraph random(long seed, int vertices, int edges) {
        TestGraph graph = undirected();
        Random random = new Random(seed);
        for (int v = 1; v <= vertices; v++) {
            graph.vertex(v);
        }
        for (int e = 0; e < edges; e++) {
            graph.edge(1 + random.nextInt(vertices), 1 + random.nextInt(vertices));
        }
        return graph;
    }

    /** Adds an edge between two vertices, which are added, too; its weight is 1. */
    public TestGraph edge(long from, long to) {
        return add(from, to, 1);
    }

    /** Adds an edge with a weight; the graph is weighted from now on. */
    public TestGraph edge(long from, long to, double weight) {
        weighted = true;
        return add(from, to, (float) weight);
    }

    /** Adds a vertex, perhaps without edges. */
    public TestGraph vertex(long id) {
        requireWritten();
        vertices.add(id);
        return this;
    }

    /** Draws a new weight for each edge, a whole number from {@code least} to {@code most}. */
    public TestGraph weights(long seed, int least, int most) {
        requireWritten();
        Random random = new Random(seed);
        edges.replaceAll(e -> new Edge(e.from, e.to, random.nextInt(least, most + 1)));
        weighted = true;
        return this;
    }

    /** Lets its edges go one way. */
    public TestGraph oneWay() {
        return with(BuildOptions.DIRECTED);
    }

    /** Makes it with other options. */
    public TestGraph with(BuildOptions newOptions) {
        options = newOptions;
        return this;
    }

    BuildOptions options() {
        return options;
    }

    List<Edge> edges() {
        return edges;
    }

    SortedSet<Long> vertices() {
        return vertices;
    }

    boolean isWeighted() {
        return weighted;
    }

    /** Name of the source that gives it. */
    String source() {
        return source == null ? WrittenEdges.NAME : source;
    }

    /** What the source is given. */
    Parameters parameters() {
        return source == null ? WrittenEdges.named(this) : parameters;
    }

    /** Whether a peer may hold all of it, so that nothing would go from peer to peer. */
    boolean isTooSmallToSpread() {
        return source == null && !vertices.isEmpty() && vertices.size() < SPREAD_VERTICES;
    }

    /** This graph and a drawn part that hangs on it, together large enough for several peers. */
    TestGraph grown(long seed) {
        TestGraph grown = new TestGraph(options, null, parameters);
        grown.edges.addAll(edges);
        grown.vertices.addAll(vertices);
        grown.weighted = weighted;
        Random random = new Random(seed);
        List<Long> ids = new ArrayList<>(vertices);
        long next = vertices.last() == -1 ? 1 : vertices.last() + 1;
        while (ids.size() < SPREAD_VERTICES) {
            if (grown.vertices.add(next)) {
                ids.add(next);
            }
            next++;
        }
        for (int e = 0; e < EDGES_PER_GROWN_VERTEX * SPREAD_VERTICES; e++) {
            int fresh = random.nextInt(vertices.size(), ids.size());
            int other = random.nextInt(ids.size());
            boolean leads = random.nextBoolean();
            long from = ids.get(leads ? fresh : other);
            long to = ids.get(leads ? other : fresh);
            grown.add(from, to, weighted ? 1 + random.nextInt(GROWN_WEIGHTS) : 1);
        }
        return grown;
    }

    private TestGraph add(long from, long to, float weight) {
        requireWritten();
        vertices.add(from);
        vertices.add(to);
        edges.add(new Edge(from, to, weight));
        return this;
    }

    private void requireWritten() {
        if (source != null) {
            throw new IllegalStateException(
                    "this graph is what source \"" + source + "\" gives; nothing can be added");
        }
    }
}
