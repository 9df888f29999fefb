package org.starling.compute;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/** Edges that a test keeps in memory and names to clusters of this process. */
public final class TestEdges implements EdgeSource {
    /** Name of the provider. */
    public static final String NAME = "test.edges";

    private static final Map<String, TestEdges> KNOWN = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();

    /** An edge as the source gives it. */
    record Edge(long from, long to, float weight) {}

    private final boolean dense;
    private final long firstId;
    private final long denseVertices;
    private final boolean weighted;
    private final List<Edge> edges = new ArrayList<>();
    private final List<Long> vertices = new ArrayList<>();
    private int parts = 1;
    private long claimedEdges = -1;
    private @Nullable Runnable beforeLastPart;

    private TestEdges(boolean dense, long firstId, long denseVertices, boolean weighted) {
        this.dense = dense;
        this.firstId = firstId;
        this.denseVertices = denseVertices;
        this.weighted = weighted;
    }

    /** Ids are what the edges name. */
    public static TestEdges sparse() {
        return new TestEdges(false, 0, 0, false);
    }

    /** Ids are what the edges name; edges have weights. */
    public static TestEdges sparseWeighted() {
        return new TestEdges(false, 0, 0, true);
    }

    /** Ids are {@code vertices} consecutive numbers. */
    public static TestEdges dense(long firstId, long vertices) {
        return new TestEdges(true, firstId, vertices, false);
    }

    /** Random edges over dense ids from 0 on, with duplicates and self-loops, in some parts. */
    public static TestEdges random(long seed, int vertices, int count) {
        TestEdges made = dense(0, vertices).parts(5);
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            made.edge(random.nextInt(vertices), random.nextInt(vertices));
        }
        return made;
    }

    /** Adds an edge. */
    public TestEdges edge(long from, long to) {
        return edge(from, to, 1);
    }

    /** Adds an edge. */
    public TestEdges edge(long from, long to, float weight) {
        edges.add(new Edge(from, to, weight));
        return this;
    }

    /** Adds a vertex. */
    public TestEdges vertex(long id) {
        vertices.add(id);
        return this;
    }

    /** Sets the number of parts. */
    public TestEdges parts(int count) {
        parts = count;
        return this;
    }

    /** Lets the source say that it has so many edges. */
    public TestEdges claiming(long count) {
        claimedEdges = count;
        return this;
    }

    /** Does something in the last part, behind its edges. */
    public TestEdges beforeEnd(Runnable action) {
        beforeLastPart = action;
        return this;
    }

    /** Parameters that lead the provider to these edges. */
    public Parameters named() {
        String key = "edges-" + NUMBERS.incrementAndGet();
        KNOWN.put(key, this);
        return Parameters.of("key", key);
    }

    List<Edge> edges() {
        return edges;
    }

    List<Long> vertices() {
        return vertices;
    }

    boolean isDense() {
        return dense;
    }

    long firstId() {
        return firstId;
    }

    long denseVertices() {
        return denseVertices;
    }

    @Override
    public SourceDescription describe() {
        long most = dense ? denseVertices : 2L * edges.size() + vertices.size();
        long count = claimedEdges < 0 ? edges.size() : claimedEdges;
        return new SourceDescription(parts, dense, firstId, most, count, weighted);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) {
        long count = 0;
        for (int i = part; i < edges.size(); i += parts) {
            Edge edge = edges.get(i);
            sink.edge(edge.from, edge.to, edge.weight);
            count++;
        }
        for (int i = part; i < vertices.size(); i += parts) {
            sink.vertex(vertices.get(i));
        }
        if (part == parts - 1 && beforeLastPart != null) {
            beforeLastPart.run();
        }
        return new PartSummary(count, 0, count, 0);
    }

    /** Finds what tests have named. */
    public static final class Provider implements EdgeSourceProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public EdgeSource create(Parameters parameters) {
            return Objects.requireNonNull(KNOWN.get(parameters.text("key")));
        }
    }
}
