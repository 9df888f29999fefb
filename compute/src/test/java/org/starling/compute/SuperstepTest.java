package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleGlobal;
import org.starling.graph.DoubleMirror;
import org.starling.graph.DoubleState;
import org.starling.graph.Histogram;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.PerNode;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** From superstep to superstep: who computes, when it ends, what everybody sees. */
final class SuperstepTest {
    private static final int VERTICES = 300;

    @AutoClose private static final Clusters clusters = new Clusters();

    private static String ring(int peers) {
        TestEdges edges = TestEdges.dense(1_000, VERTICES).parts(3);
        for (long i = 0; i < VERTICES; i++) {
            edges.edge(1_000 + i, 1_000 + (i + 1) % VERTICES);
        }
        return clusters.build(peers, edges, BuildOptions.DIRECTED);
    }

    private static void run(
            int peers, String graph, java.util.function.Supplier<VertexProgram> program) {
        clusters.run(peers, graph, program::get);
    }

    /** A token that goes once around the ring from some vertices. */
    private static final class Token implements VertexProgram {
        private final long[] starts;
        private IntChannel token;
        private IntState visited;

        private Token(long... starts) {
            this.starts = starts;
        }

        @Override
        public void declare(Declaration graph) {
            token = graph.intChannel("token", IntCombiner.MAX);
            visited = graph.intState("visited", -1);
            graph.startAt(starts);
        }

        @Override
        public void start(Vertex v) {
            visited.set(v, 0);
            token.broadcast(v, 0);
        }

        @Override
        public void compute(Vertex v) {
            if (visited.get(v) < 0) {
                visited.set(v, v.superstep());
                token.broadcast(v, v.superstep());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void startsWhereItIsToldAndEndsInSilence(int peers) {
        String graph = ring(peers);

        RunResult result = clusters.run(peers, graph, () -> new Token(1_007, 1_150, 1_150));

        long[] visited = clusters.longs(peers, graph, "visited");
        for (int v = 0; v < VERTICES; v++) {
            int distance = Math.min((v - 7 + VERTICES) % VERTICES, (v - 150 + VERTICES) % VERTICES);
            assertThat(visited[v]).as("vertex %d", v).isEqualTo(distance);
        }
        assertThat(result.supersteps()).isEqualTo(VERTICES - 143 + 1);
        assertThat(result.messages()).isEqualTo(VERTICES);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void refusesToStartAtAnUnknownVertex(int peers) {
        String graph = ring(peers);

        for (long id : new long[] {999, 1_000 + VERTICES, -1}) {
            assertThatThrownBy(() -> clusters.run(peers, graph, () -> new Token(1_000, id)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("no vertex " + Long.toUnsignedString(id))
                    .hasMessageContaining(graph);
        }

        assertThat(clusters.run(peers, graph, () -> new Token(1_000)).supersteps())
                .isEqualTo(VERTICES + 1);
    }

    /** Counts its calls; what else it does, the test says. */
    private static final class Counter implements VertexProgram {
        private final boolean always;
        private final Consumer<Vertex> step;
        private final Consumer<Master> between;
        private IntState calls;

        private Counter(boolean always, Consumer<Vertex> step, Consumer<Master> between) {
            this.always = always;
            this.step = step;
            this.between = between;
        }

        @Override
        public void declare(Declaration graph) {
            calls = graph.intState("calls", 0);
            if (always) {
                graph.alwaysActive();
            }
        }

        @Override
        public void start(Vertex v) {
            compute(v);
        }

        @Override
        public void compute(Vertex v) {
            calls.set(v, calls.get(v) + 1);
            step.accept(v);
        }

        @Override
        public void afterSuperstep(Master master) {
            between.accept(master);
        }
    }

    private static void nothing(Vertex v) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void callsEverybodyUntilTheMasterHalts(int peers) {
        String graph = ring(peers);

        RunResult result =
                clusters.run(
                        peers,
                        graph,
                        () ->
                                new Counter(
                                        true,
                                        SuperstepTest::nothing,
                                        master -> {
                                            if (master.superstep() == 6) {
                                                master.halt();
                                            }
                                        }));

        assertThat(result.supersteps()).isEqualTo(7);
        assertThat(clusters.longs(peers, graph, "calls")).containsOnly(7);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void leavesSettledVerticesAlone(int peers) {
        String graph = ring(peers);

        clusters.run(
                peers,
                graph,
                () ->
                        new Counter(
                                true,
                                v -> {
                                    if (v.ordinal() % 5 == v.superstep()) {
                                        v.settle();
                                        v.settle();
                                    }
                                },
                                master -> {
                                    if (master.superstep() == 9) {
                                        master.halt();
                                    }
                                }));

        long[] calls = clusters.longs(peers, graph, "calls");
        for (int v = 0; v < VERTICES; v++) {
            assertThat(calls[v]).isEqualTo(v % 5 + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wakesEverybodyWhenTheMasterSaysSo(int peers) {
        String graph = ring(peers);
        List<Long> pending = Collections.synchronizedList(new ArrayList<>());

        RunResult result =
                clusters.run(
                        peers,
                        graph,
                        () ->
                                new Counter(
                                        false,
                                        SuperstepTest::nothing,
                                        master -> {
                                            pending.add(master.pending());
                                            if (master.superstep() < 3) {
                                                master.activateAll();
                                            }
                                        }));

        assertThat(result.supersteps()).isEqualTo(4);
        assertThat(pending).containsExactly(0L, 0L, 0L, 0L);
        assertThat(clusters.longs(peers, graph, "calls")).containsOnly(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void tellsSettledVerticesNothing(int peers) {
        String graph = ring(peers);

        run(peers, graph, () -> new Deaf(id -> id % 2 == 0, _ -> true, 4, 0));
        long[] broadcast = clusters.longs(peers, graph, "heard");
        run(peers, graph, () -> new Deaf(id -> id % 2 == 0, _ -> true, 4, 2));
        long[] direct = clusters.longs(peers, graph, "heard");

        for (int v = 0; v < VERTICES; v++) {
            // the neighbour before an odd vertex is even: it spoke in superstep 0 only
            assertThat(broadcast[v]).as("broadcast to %d", v).isEqualTo(v % 2);
            assertThat(direct[v]).as("sent to %d", v).isEqualTo(v % 2 * 4L);
        }
    }

    /** Publishes, and reads at vertices far away. */
    private static final class Mirrored implements VertexProgram {
        private IntMirror ints;
        private LongMirror longs;
        private DoubleMirror doubles;
        private IntState wrong;

        @Override
        public void declare(Declaration graph) {
            ints = graph.intMirror("ints", -5);
            longs = graph.longMirror("longs", Long.MIN_VALUE);
            doubles = graph.doubleMirror("doubles", 0.5);
            wrong = graph.intState("wrong", 0);
            graph.alwaysActive();
        }

        @Override
        public void start(Vertex v) {
            compute(v);
        }

        @Override
        public void compute(Vertex v) {
            long other = (v.ordinal() * 7 + 123) % VERTICES;
            int last = lastPublished(other, v.superstep());
            expect(v, ints.read(other) == (last < 0 ? -5 : (int) other * 10 + last));
            expect(v, longs.read(other) == (last < 0 ? Long.MIN_VALUE : -other - last));
            expect(v, doubles.read(other) == (last < 0 ? 0.5 : other / 3.0 + last));
            if (publishes(v.ordinal(), v.superstep())) {
                ints.publish(v, -1);
                ints.publish(v, (int) v.ordinal() * 10 + v.superstep());
                longs.publish(v, -v.ordinal() - v.superstep());
                doubles.publish(v, v.ordinal() / 3.0 + v.superstep());
            }
        }

        private static boolean publishes(long ordinal, int superstep) {
            return (ordinal + superstep) % 4 == 0 && ordinal % 3 != 0;
        }

        private static int lastPublished(long ordinal, int before) {
            int superstep = before - 1;
            while (superstep >= 0 && !publishes(ordinal, superstep)) {
                superstep--;
            }
            return superstep;
        }

        private void expect(Vertex v, boolean condition) {
            if (!condition) {
                wrong.set(v, wrong.get(v) + 1);
            }
        }

        @Override
        public void afterSuperstep(Master master) {
            if (master.superstep() == 8) {
                master.halt();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void showsPublishedValuesEverywhereOneSuperstepLater(int peers) {
        String graph = ring(peers);

        run(peers, graph, Mirrored::new);

        assertThat(clusters.longs(peers, graph, "wrong")).containsOnly(0);
    }

    /** Publishes once and is woken by nothing else. */
    private static final class PublishOnce implements VertexProgram {
        private IntMirror mirror;

        @Override
        public void declare(Declaration graph) {
            mirror = graph.intMirror("mirror", 0);
        }

        @Override
        public void start(Vertex v) {
            mirror.publish(v, 1);
        }

        @Override
        public void compute(Vertex v) {
            throw new IllegalStateException("nothing was sent");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void countsPublicationsAsPendingButWakesNobody(int peers) {
        RunResult result = clusters.run(peers, ring(peers), PublishOnce::new);

        assertThat(result.supersteps()).isEqualTo(2);
        assertThat(result.messages()).isZero();
    }

    /** Aggregates by superstep, and checks on vertices what the last superstep gave. */
    private static final class Adding implements VertexProgram {
        private LongAggregator sum;
        private LongAggregator least;
        private DoubleAggregator fractions;
        private DoubleState seen;
        private LongGlobal round;
        private DoubleGlobal factor;

        @Override
        public void declare(Declaration graph) {
            sum = graph.longAggregator("sum", LongCombiner.SUM);
            least = graph.longAggregator("least", LongCombiner.MIN);
            fractions = graph.doubleAggregator("fractions", DoubleCombiner.SUM);
            seen = graph.doubleState("seen", Double.NaN);
            round = graph.longGlobal("round", 100);
            factor = graph.doubleGlobal("factor", 0.25);
            graph.alwaysActive();
        }

        @Override
        public void start(Vertex v) {
            require(sum.value() == 0 && least.value() == Long.MAX_VALUE);
            require(fractions.value() == 0 && round.get() == 100 && factor.get() == 0.25);
            contribute(v);
        }

        @Override
        public void compute(Vertex v) {
            int before = v.superstep() - 1;
            require(sum.value() == (long) VERTICES * (before + 1));
            require(least.value() == 7 - before);
            require(round.get() == 100 + v.superstep() && factor.get() == 0.25 * v.superstep());
            seen.set(v, fractions.value());
            contribute(v);
        }

        private void contribute(Vertex v) {
            sum.add(v.superstep() + 1);
            least.add(v.ordinal() + 7 - v.superstep());
            fractions.add(1.0 / (v.ordinal() + 1 + v.superstep()));
        }

        private static void require(boolean condition) {
            if (!condition) {
                throw new IllegalStateException("a value is not that of the superstep before");
            }
        }

        @Override
        public void afterSuperstep(Master master) {
            require(sum.value() == (long) VERTICES * (master.superstep() + 1));
            round.set(round.get() + 1);
            factor.set(0.25 * (master.superstep() + 1));
            if (master.superstep() == 5) {
                master.halt();
            }
        }
    }

    @Test
    void aggregatesTheSameBitsWhateverThePeers() {
        List<Double> last = new ArrayList<>();
        List<double[]> seen = new ArrayList<>();
        for (int peers = 1; peers <= 3; peers++) {
            String graph = ring(peers);
            RunResult result = clusters.run(peers, graph, Adding::new);

            assertThat(result.longAggregate("sum")).isEqualTo(6L * VERTICES);
            assertThat(result.longAggregate("least")).isEqualTo(2);
            last.add(result.doubleAggregate("fractions"));
            seen.add(clusters.doubles(peers, graph, "seen"));
            assertThatThrownBy(() -> result.longAggregate("fractions"))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> result.doubleAggregate("nobody"))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        assertThat(last).containsOnly(last.get(0));
        assertThat(seen.get(1)).containsExactly(seen.get(0));
        assertThat(seen.get(2)).containsExactly(seen.get(0));
        assertThat(seen.get(0)).containsOnly(seen.get(0)[0]);
    }

    /** Sets a global where it may not. */
    private static final class Usurper implements VertexProgram {
        private LongGlobal global;

        @Override
        public void declare(Declaration graph) {
            global = graph.longGlobal("global", 0);
        }

        @Override
        public void start(Vertex v) {
            global.set(1);
        }

        @Override
        public void compute(Vertex v) {}
    }

    @Test
    void letsOnlyTheMasterSetGlobals() {
        String graph = ring(1);

        assertThatThrownBy(() -> clusters.run(1, graph, Usurper::new))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("afterSuperstep");
    }

    /** Counts into buckets. */
    private static final class Buckets implements VertexProgram {
        private Histogram histogram;
        private Histogram empty;
        private IntChannel channel;

        @Override
        public void declare(Declaration graph) {
            histogram = graph.histogram("buckets");
            empty = graph.histogram("empty");
            channel = graph.intChannel("channel", IntCombiner.MAX);
        }

        @Override
        public void start(Vertex v) {
            histogram.add((int) v.ordinal() % 40, 2);
            channel.broadcast(v, 1);
            if (v.ordinal() < 0) {
                empty.add(0, 1);
            }
        }

        @Override
        public void compute(Vertex v) {
            histogram.add(1_000, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void sumsHistogramsOverVerticesAndSupersteps(int peers) {
        RunResult result = clusters.run(peers, ring(peers), Buckets::new);

        long[] counts = result.histogram("buckets");
        assertThat(counts).hasSize(1_001);
        for (int bucket = 0; bucket < 40; bucket++) {
            assertThat(counts[bucket]).isEqualTo(2L * (VERTICES / 40 + (bucket < 20 ? 1 : 0)));
        }
        assertThat(counts[1_000]).isEqualTo(VERTICES);
        assertThat(result.histogram("empty")).isEmpty();
        assertThatThrownBy(() -> result.histogram("none"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Shares one object among the workers of a node. */
    private static final class Sharing implements VertexProgram {
        private final AtomicInteger built;
        private final ConcurrentLinkedQueue<Object> seen;
        private PerNode<Object> shared;

        private Sharing(AtomicInteger built, ConcurrentLinkedQueue<Object> seen) {
            this.built = built;
            this.seen = seen;
        }

        @Override
        public void declare(Declaration graph) {
            shared =
                    graph.perNode(
                            "object",
                            () -> {
                                built.incrementAndGet();
                                return new Object();
                            });
        }

        @Override
        public void start(Vertex v) {
            seen.add(shared.get());
        }

        @Override
        public void compute(Vertex v) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void buildsSharedObjectsOncePerNode(int peers) {
        AtomicInteger built = new AtomicInteger();
        ConcurrentLinkedQueue<Object> seen = new ConcurrentLinkedQueue<>();

        run(peers, ring(peers), () -> new Sharing(built, seen));

        assertThat(built).hasValue(peers);
        assertThat(seen).hasSize(VERTICES);
        assertThat(Map.copyOf(count(seen))).hasSize(peers);
    }

    private static Map<Object, Integer> count(ConcurrentLinkedQueue<Object> objects) {
        Map<Object, Integer> counts = new java.util.HashMap<>();
        objects.forEach(object -> counts.merge(object, 1, Integer::sum));
        return counts;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void failsWhenAProgramDoesNotEndInTime(int peers) {
        String graph = ring(peers);
        RunOptions options = new RunOptions(5, Map.of());

        assertThatThrownBy(() ->
                        clusters.session(peers)
                                .run(
                                        graph,
                                        Endless.NAME,
                                        org.starling.graph.Parameters.NONE,
                                        options))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("5 supersteps")
                .hasMessageContaining(Endless.NAME);
        assertThatThrownBy(() -> clusters.longs(peers, graph, "unfinished"))
                .as("states of a run that failed")
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void tellsTheListenerOfEverySuperstep() {
        List<String> heard = new ArrayList<>();
        String graph = ring(2);
        JobListener listener =
                new JobListener() {
                    @Override
                    public void progress(String what, long done, long total) {}

                    @Override
                    public void superstep(int superstep, long active, long messages) {
                        heard.add(superstep + " " + active + " " + messages);
                    }
                };
        JobStatistics before = clusters.cluster(2).statistics();

        clusters.cluster(2)
                .session(listener)
                .run(graph, TestPrograms.NAME, TestPrograms.named(() -> new Both(3)));

        assertThat(heard).containsExactly("0 300 300", "1 300 600", "2 300 900", "3 300 900");
        JobStatistics after = clusters.cluster(2).statistics();
        assertThat(after.supersteps() - before.supersteps()).isEqualTo(4);
        assertThat(after.messages() - before.messages()).isEqualTo(900);
    }

    /** Everybody broadcasts for some supersteps. */
    private static final class Both implements VertexProgram {
        private final int supersteps;
        private IntChannel channel;

        private Both(int supersteps) {
            this.supersteps = supersteps;
        }

        @Override
        public void declare(Declaration graph) {
            channel = graph.intChannel("channel", IntCombiner.SUM);
        }

        @Override
        public void start(Vertex v) {
            compute(v);
        }

        @Override
        public void compute(Vertex v) {
            if (v.superstep() < supersteps) {
                channel.broadcast(v, 1);
            }
        }
    }

    /** Adds to what an earlier program left. */
    private static final class Heir implements VertexProgram {
        private LongState left;

        @Override
        public void declare(Declaration graph) {
            left = graph.existingLongState("least");
        }

        @Override
        public void start(Vertex v) {
            left.set(v, left.get(v) + v.ordinal());
        }

        @Override
        public void compute(Vertex v) {}
    }

    /** Takes the place of an older state, with another type. */
    private static final class Replacer implements VertexProgram {
        private DoubleState least;

        @Override
        public void declare(Declaration graph) {
            least = graph.doubleState("least", 2.5);
        }

        @Override
        public void start(Vertex v) {
            if (v.ordinal() == 3) {
                least.set(v, -1.5);
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void keepsStatesForLaterProgramsUntilTheyAreReplaced(int peers) {
        String graph = ring(peers);
        assertThatThrownBy(() -> clusters.run(peers, graph, Heir::new))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("least");

        clusters.session(peers).run(graph, LeastId.NAME, org.starling.graph.Parameters.NONE);
        clusters.run(peers, graph, Heir::new);
        long[] inherited = clusters.longs(peers, graph, "least");
        clusters.run(peers, graph, Replacer::new);
        double[] replaced = clusters.doubles(peers, graph, "least");

        for (int v = 0; v < VERTICES; v++) {
            assertThat(inherited[v]).isEqualTo(1_000 + v);
            assertThat(replaced[v]).isEqualTo(v == 3 ? -1.5 : 2.5);
        }
        assertThatThrownBy(() -> clusters.run(peers, graph, Heir::new))
                .as("a state of another type")
                .isInstanceOf(InvalidInputException.class);
    }

    /** Refuses to work. */
    private static final class Refusing implements VertexProgram {
        private final String reason;

        private Refusing(String reason) {
            this.reason = reason;
        }

        @Override
        public void declare(Declaration graph) {
            graph.longState("refused", 0);
            graph.longChannel("channel", LongCombiner.SUM);
            throw new InvalidInputException(reason);
        }

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void passesOnWhatAProgramRefuses(int peers) {
        String graph = ring(peers);
        String reason = "the moon is not full";

        assertThatThrownBy(() -> clusters.run(peers, graph, () -> new Refusing(reason)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("the moon is not full");
        assertThat(clusters.run(peers, graph, () -> new Token(1_000)).supersteps())
                .isEqualTo(VERTICES + 1);
    }

    @Test
    void isNotedInTheFlightRecorder(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("recording.jfr");
        String graph = ring(2);
        try (Recording recording = new Recording()) {
            recording.enable("starling.Superstep");
            recording.start();
            run(2, graph, () -> new Token(1_000));
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> steps =
                RecordingFile.readAllEvents(file).stream()
                        .sorted(Comparator.comparingInt(step -> step.getInt("superstep")))
                        .toList();

        assertThat(steps).hasSizeGreaterThanOrEqualTo(VERTICES);
        assertThat(steps.get(1).getInt("superstep")).isEqualTo(1);
        assertThat(steps.get(1).getLong("frontier")).isEqualTo(1);
        assertThat(steps.get(1).getLong("messages")).isEqualTo(1);
        assertThat(steps.get(1).getDuration("time").isPositive()).isTrue();
        assertThat(steps).allMatch(step -> !step.getString("program").isEmpty());
    }
}
