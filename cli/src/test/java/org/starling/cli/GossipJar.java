package org.starling.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.starling.graph.ApiVersion;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/**
 * A jar of a user whose program has messages of several fields that are not combined, vectors as
 * states, and phases. All numbers are whole, so that its results do not depend on any order.
 */
final class GossipJar {
    private static final String PROGRAM =
            """
            package my;
            import java.util.Map;
            import org.starling.graph.*;
            public final class Gossip implements ProgramProvider {
                private static final int LENGTH = 4;
                enum Phase { TALK, LISTEN }
                @Override public Map<String, ProgramFactory> programs() {
                    return Map.of("my.gossip", parameters -> new Program(
                        (int) parameters.integer("rounds"), parameters.integer("pauseMillis", 0)));
                }
                private static final class Program implements VertexProgram {
                    private final int rounds;
                    private final long pauseMillis;
                    private final RecordLayout layout = new RecordLayout();
                    private final RecordLayout.LongField word = layout.longField("word");
                    private final RecordLayout.IntField place = layout.intField("place");
                    private RecordChannel told;
                    private LongVectorState heard;
                    private LongState digest;
                    private LongAggregator sum;
                    private PhaseGlobal<Phase> phase;
                    private Program(int rounds, long pauseMillis) {
                        this.rounds = rounds;
                        this.pauseMillis = pauseMillis;
                    }
                    @Override public void declare(Declaration graph) {
                        heard = graph.longVectorState("heard", LENGTH);
                        digest = graph.longState("digest", 0);
                        told = graph.recordChannel("told", layout);
                        sum = graph.longAggregator("sum", LongCombiner.SUM);
                        phase = graph.phaseGlobal("phase", Phase.class);
                    }
                    @Override public void start(Vertex v) {
                        for (int i = 0; i < LENGTH; i++) {
                            heard.set(v, i, v.id() * 31 + i);
                        }
                        tell(v, 0);
                    }
                    @Override public void compute(Vertex v) {
                        long all = 1;
                        for (RecordCursor read = told.received(v); read.next(); ) {
                            int at = read.get(place);
                            long old = heard.get(v, at);
                            heard.set(v, at, phase.is(Phase.TALK)
                                ? old + read.get(word) % 1009 + read.sender() % 7
                                : Math.max(old, read.get(word)));
                        }
                        for (int i = 0; i < LENGTH; i++) {
                            all = all * 31 + heard.get(v, i);
                        }
                        digest.set(v, all);
                        sum.add(all);
                        tell(v, (int) Math.floorMod(all, (long) LENGTH));
                    }
                    private void tell(Vertex v, int at) {
                        told.message(v).set(word, heard.get(v, at)).set(place, at).sendToNeighbours();
                    }
                    @Override public void afterSuperstep(Master master) {
                        phase.set(master.superstep() % 3 == 2 ? Phase.LISTEN : Phase.TALK);
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
            package my;
            import org.starling.graph.*;
            public final class Listen implements Task {
                @Override public TaskSignature signature() {
                    return TaskSignature.of("my.gossip", "What vertices hear; leaves the state digest.")
                        .with(Argument.required("graph", Argument.Type.GRAPH, "who talks"))
                        .with(Argument.integer("rounds", "of talk", 8))
                        .with(Argument.integer("pauseMillis", "between supersteps", 0))
                        .returns("digest", "integer", "of all states")
                        .returns("heard", "integer", "of all vectors");
                }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    String graph = arguments.text("graph");
                    GraphSession graphs = context.graphs();
                    graphs.run(graph, "my.gossip", Parameters.of("rounds", arguments.integer("rounds"))
                        .with("pauseMillis", arguments.integer("pauseMillis")));
                    long digest = 0;
                    try (StateCursor values = graphs.read(graph, "digest")) {
                        while (values.next()) { digest = digest * 31 + values.asLong(); }
                    }
                    long heard = 0;
                    try (StateCursor values = graphs.read(graph, "heard")) {
                        while (values.next()) {
                            for (int i = 0; i < 4; i++) { heard = heard * 31 + values.asLong(i); }
                        }
                    }
                    return new TaskResult().put("digest", digest).put("heard", heard);
                }
            }
            """;

    private GossipJar() {}

    static JarBuilder builder() {
        return new JarBuilder()
                .source("my.Gossip", PROGRAM)
                .source("my.Listen", TASK)
                .service(ProgramProvider.class, "my.Gossip")
                .service(Task.class, "my.Listen")
                .attribute(ApiVersion.MANIFEST_ATTRIBUTE, "1.0");
    }

    static Path build(Path file) throws IOException {
        return builder().build(file);
    }
}
