package org.starling.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.starling.graph.ApiVersion;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/**
 * A jar of a user who has never seen the engine: a task that makes a ring with a source of edges of
 * its own and finds distances on it with a program of its own. What its code leaves in variables of
 * threads is of its own classes.
 */
final class RingJar {
    /**
     * A test in the same process may put a consumer of class loaders under this system property.
     */
    static final String LOADED = "starling.test.loaded";

    private static final String SOURCE =
            """
            package my;
            import org.starling.graph.*;
            public final class Ring implements EdgeSourceProvider {
                @Override public String name() { return "my.ring"; }
                @Override public EdgeSource create(Parameters parameters) {
                    long vertices = parameters.integer("vertices");
                    Leaves.here();
                    return new EdgeSource() {
                        @Override public SourceDescription describe() {
                            return new SourceDescription(4, true, 0, vertices, vertices, false);
                        }
                        @Override public PartSummary read(int part, EdgeSink sink) {
                            Leaves.here();
                            long edges = 0;
                            for (long v = part; v < vertices; v += 4) {
                                sink.edge(v, (v + 1) % vertices, 1);
                                edges++;
                            }
                            return new PartSummary(edges, 0, edges, 0);
                        }
                    };
                }
            }
            """;

    private static final String PROGRAM =
            """
            package my;
            import java.util.Map;
            import org.starling.graph.*;
            public final class Distances implements ProgramProvider {
                @Override public Map<String, ProgramFactory> programs() {
                    return Map.of("my.distances", parameters -> new Program(
                        parameters.integer("pauseMillis", 0)));
                }
                /** A combiner of the user's own, which gets a kernel of its own. */
                private record Least() implements LongCombiner {
                    @Override public long identity() { return Long.MAX_VALUE; }
                    @Override public long combine(long a, long b) { return Math.min(a, b); }
                }
                private static final class Program implements VertexProgram {
                    private LongState distance;
                    private LongChannel nearer;
                    private LongAggregator sum;
                    private final long pauseMillis;
                    private Program(long pauseMillis) { this.pauseMillis = pauseMillis; }
                    @Override public void afterSuperstep(Master master) {
                        java.util.concurrent.locks.LockSupport.parkNanos(pauseMillis * 1_000_000);
                    }
                    @Override public void declare(Declaration graph) {
                        Leaves.here();
                        distance = graph.longState("distance", -1);
                        nearer = graph.longChannel("nearer", new Least());
                        sum = graph.longAggregator("sum", LongCombiner.SUM);
                    }
                    @Override public void start(Vertex v) {
                        if (v.id() == 0) {
                            distance.set(v, 0);
                            nearer.broadcast(v, 1);
                        }
                    }
                    @Override public void compute(Vertex v) {
                        Leaves.here();
                        if (distance.get(v) < 0) {
                            long found = nearer.received(v);
                            distance.set(v, found);
                            sum.add(found);
                            nearer.broadcast(v, found + 1);
                        }
                    }
                }
            }
            """;

    private static final String DISTANCES =
            """
            package my;
            import org.starling.graph.*;
            public final class FindDistances implements Task {
                @Override public TaskSignature signature() {
                    return TaskSignature.of("my.distances", "Distances on a ring from vertex 0.")
                        .with(Argument.required("graph", Argument.Type.NEW_GRAPH, "what to make"))
                        .with(Argument.integer("vertices", "of the ring", 100))
                        .with(Argument.integer("pauseMillis", "between supersteps", 0))
                        .returns("vertices", "integer", "of the graph")
                        .returns("states", "integer", "sum of all distances");
                }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    Leaves.here();
                    String graph = arguments.text("graph");
                    GraphSession graphs = context.graphs();
                    graphs.build(graph, "my.ring",
                        Parameters.of("vertices", arguments.integer("vertices")),
                        BuildOptions.UNDIRECTED);
                    graphs.run(graph, "my.distances",
                        Parameters.of("pauseMillis", arguments.integer("pauseMillis")));
                    long sum = 0;
                    try (StateCursor values = graphs.read(graph, "distance")) {
                        while (values.next()) { sum += values.asLong(); }
                    }
                    if (Thread.currentThread().getContextClassLoader() != getClass().getClassLoader()) {
                        throw new JobFailedException("another loader is the thread's context");
                    }
                    return new TaskResult().put("vertices", graphs.info(graph).vertices())
                        .put("states", sum);
                }
            }
            """;

    private static final String LEAVES =
            """
            package my;
            final class Leaves {
                private static final ThreadLocal<Leaves> LEFT = new ThreadLocal<>();
                private static final InheritableThreadLocal<Leaves> TO_CHILDREN =
                    new InheritableThreadLocal<>();
                static final byte[] STATIC = new byte[100_000];
                static {
                    if (System.getProperties().get("starling.test.loaded")
                            instanceof java.util.function.Consumer<?> test) {
                        @SuppressWarnings("unchecked")
                        var hears = (java.util.function.Consumer<ClassLoader>) test;
                        hears.accept(Leaves.class.getClassLoader());
                    }
                }
                static void here() {
                    if (LEFT.get() == null) {
                        LEFT.set(new Leaves());
                        TO_CHILDREN.set(new Leaves());
                    }
                }
            }
            """;

    private RingJar() {}

    /** The jar; with another mark it has another digest. */
    static Path build(Path file, String mark) throws IOException {
        return builder().attribute("Mark", mark).build(file);
    }

    static JarBuilder builder() {
        return new JarBuilder()
                .source("my.Ring", SOURCE)
                .source("my.Distances", PROGRAM)
                .source("my.FindDistances", DISTANCES)
                .source("my.Leaves", LEAVES)
                .service(Task.class, "my.FindDistances")
                .service(ProgramProvider.class, "my.Distances")
                .service(EdgeSourceProvider.class, "my.Ring")
                .attribute(ApiVersion.MANIFEST_ATTRIBUTE, "1.0");
    }

    /** A script of its task. */
    static String script(long vertices) {
        return script(vertices, 0);
    }

    /** The same, which takes at least so long from one superstep to the next. */
    static String script(long vertices, long pauseMillis) {
        return """
        {"tasks": [{"task": "my.distances", "as": "d", "graph": "g",
          "vertices": %d, "pauseMillis": %d}]}
        """
                .formatted(vertices, pauseMillis);
    }

    /** What the task answers for an even number of vertices. */
    static long sum(long vertices) {
        long half = vertices / 2;
        return half * half;
    }
}
