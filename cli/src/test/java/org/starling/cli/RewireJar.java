package org.starling.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.starling.graph.ApiVersion;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/**
 * A jar of a user whose program changes its graph in each superstep: edges and vertices go and
 * come, by lots that depend on ids and supersteps alone. All numbers are whole.
 */
final class RewireJar {
    private static final String PROGRAM =
            """
            package my.wires;
            import java.util.Map;
            import org.starling.graph.*;
            public final class Rewire implements ProgramProvider {
                @Override public Map<String, ProgramFactory> programs() {
                    return Map.of("my.rewire", parameters -> new Program(
                        (int) parameters.integer("rounds"), parameters.integer("pauseMillis", 0)));
                }
                private static final class Program implements VertexProgram {
                    private final int rounds;
                    private final long pauseMillis;
                    private Topology topology;
                    private LongState seen;
                    private LongChannel calls;
                    private Program(int rounds, long pauseMillis) {
                        this.rounds = rounds;
                        this.pauseMillis = pauseMillis;
                    }
                    @Override public void declare(Declaration graph) {
                        topology = graph.topology();
                        seen = graph.longState("seen", 7);
                        calls = graph.longChannel("calls", LongCombiner.SUM);
                        graph.alwaysActive();
                    }
                    @Override public void start(Vertex v) { act(v); }
                    @Override public void compute(Vertex v) { act(v); }
                    private void act(Vertex v) {
                        seen.set(v, seen.get(v) * 31 + calls.received(v) + 7L * v.degree());
                        calls.broadcast(v, v.id() * 17 + v.superstep());
                        if (v.superstep() >= rounds) {
                            return;
                        }
                        long lot = lot(v.id(), v.superstep());
                        if (lot % 8 == 0) {
                            for (EdgeCursor edge = v.edges(); edge.next(); ) {
                                if (edge.target() % 5 == lot / 8 % 5) { topology.removeEdge(v, edge); }
                            }
                        }
                        if (lot % 7 == 0) { topology.addEdgeById(v.id(), lot / 7 % 6000, 1f); }
                        if (lot % 11 == 0) { topology.removeEdgeById(v.id(), lot / 11 % 6000); }
                        if (lot % 61 == 0) { topology.removeVertex(v); }
                        if (lot % 67 == 0) { topology.addVertex(1_000_000 + lot / 67 % 1000); }
                    }
                    private static long lot(long id, long superstep) {
                        long x = (id + 1) * 0x9E3779B97F4A7C15L + superstep;
                        x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
                        x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
                        return (x ^ x >>> 31) >>> 16;
                    }
                    @Override public void afterSuperstep(Master master) {
                        java.util.concurrent.locks.LockSupport.parkNanos(pauseMillis * 1_000_000);
                        if (master.superstep() == rounds) {
                            master.halt();
                        }
                    }
                }
            }
            """;

    private static final String TASK =
            """
            package my.wires;
            import org.starling.graph.*;
            public final class Wires implements Task {
                @Override public TaskSignature signature() {
                    return TaskSignature.of("my.rewire", "Changes a graph; leaves the state seen.")
                        .with(Argument.required("graph", Argument.Type.GRAPH, "what changes"))
                        .with(Argument.integer("rounds", "of changes", 4))
                        .with(Argument.integer("pauseMillis", "between supersteps", 0))
                        .returns("vertices", "integer", "that are left")
                        .returns("edges", "integer", "that are left")
                        .returns("digest", "integer", "of the state");
                }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    String graph = arguments.text("graph");
                    GraphSession graphs = context.graphs();
                    graphs.run(graph, "my.rewire", Parameters.of("rounds", arguments.integer("rounds"))
                        .with("pauseMillis", arguments.integer("pauseMillis")));
                    long digest = 0;
                    try (StateCursor values = graphs.read(graph, "seen")) {
                        while (values.next()) { digest = digest * 31 + values.asLong(); }
                    }
                    GraphInfo left = graphs.info(graph);
                    return new TaskResult().put("vertices", left.vertices())
                        .put("edges", left.edges()).put("digest", digest);
                }
            }
            """;

    private RewireJar() {}

    /** Task {@code my.rewire}, which runs the program of that name. */
    static Path build(Path file) throws IOException {
        return new JarBuilder()
                .source("my.wires.Rewire", PROGRAM)
                .source("my.wires.Wires", TASK)
                .service(ProgramProvider.class, "my.wires.Rewire")
                .service(Task.class, "my.wires.Wires")
                .attribute(ApiVersion.MANIFEST_ATTRIBUTE, "1.0")
                .build(file);
    }
}
