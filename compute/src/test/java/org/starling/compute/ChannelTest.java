package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleChannel;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.EdgeCursor;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.RunResult;
import org.starling.graph.Vertex;
import org.starling.graph.VertexChannel;
import org.starling.graph.VertexProgram;

/** What is sent is received: every type of channel, every combiner, every way of delivery. */
final class ChannelTest {
    private static final long SEED = 42;
    private static final int VERTICES = 500;
    private static final int EDGES = 2_000;

    @AutoClose private static final Clusters clusters = new Clusters();

    @ParameterizedTest
    @CsvSource({"1, INT", "3, DOUBLE"})
    void receivesWhatAllInNeighboursSaid(int peers, AnyChannel.Type type) {
        for (BuildOptions options : List.of(BuildOptions.UNDIRECTED, BuildOptions.DIRECTED)) {
            TestEdges edges = TestEdges.random(SEED, VERTICES, EDGES);
            ModelGraph model = new ModelGraph(edges, options.directed());
            String graph = clusters.build(peers, edges, options);
            for (AnyChannel.Rule rule : AnyChannel.Rule.values()) {
                for (Whisper.Way way : Whisper.Way.values()) {
                    for (int every : new int[] {250, 3, 1}) {
                        Whisper whisper = new Whisper(type, rule, way, every, 0);

                        RunResult result = clusters.run(peers, graph, whisper::program);

                        String what = whisper + " in " + graph + " seed " + SEED;
                        long[] heard = clusters.longs(peers, graph, Whisper.HEARD);
                        for (int v = 0; v < heard.length; v++) {
                            whisper.check(model.ids[v], model.idsOf(model.in.get(v)), heard[v]);
                        }
                        assertThat(result.supersteps()).as(what).isEqualTo(2);
                        assertThat(result.messages()).as(what).isEqualTo(said(model, whisper));
                    }
                }
            }
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"3, INT", "1, LONG", "3, LONG", "1, FLOAT", "3, FLOAT", "1, DOUBLE"})
    void receivesWhatAllInNeighboursSaidInMoreCases(int peers, AnyChannel.Type type) {
        receivesWhatAllInNeighboursSaid(peers, type);
    }

    private static long said(ModelGraph model, Whisper whisper) {
        return IntStream.range(0, model.vertices())
                .filter(v -> whisper.speaks(model.ids[v]))
                .mapToLong(v -> model.out.get(v).size())
                .sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void hearsTheSmallestCaller(int peers) {
        TestEdges edges = TestEdges.random(SEED, VERTICES, EDGES);
        ModelGraph model = new ModelGraph(edges, true);
        for (BuildOptions options :
                List.of(
                        BuildOptions.DIRECTED,
                        BuildOptions.DIRECTED.withWideNeighbours(),
                        BuildOptions.DIRECTED.withoutIncoming())) {
            String graph = clusters.build(peers, edges, options);
            for (int callEvery : new int[] {250, 3, 1}) {
                for (boolean broadcast : new boolean[] {true, false}) {
                    clusters.run(peers, graph, () -> new Caller(callEvery, broadcast));

                    checkCallers(clusters.longs(peers, graph, "caller"), model, callEvery);
                }
            }
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(ints = 2)
    void hearsTheSmallestCallerInMoreCases(int peers) {
        hearsTheSmallestCaller(peers);
    }

    private static void checkCallers(long[] caller, ModelGraph model, int callEvery) {
        for (int v = 0; v < model.vertices(); v++) {
            long smallest =
                    model.in.get(v).keySet().stream()
                            .filter(u -> u % callEvery == 0)
                            .mapToLong(u -> u)
                            .min()
                            .orElse(VertexChannel.NONE);
            assertThat(caller[v])
                    .as("caller of %d, every %d, seed %d", v, callEvery, SEED)
                    .isEqualTo(smallest);
        }
    }

    /** Some vertices call once. */
    private static final class Caller implements VertexProgram {
        private final int callEvery;
        private final boolean broadcast;
        private VertexChannel calls;
        private LongState caller;

        private Caller(int callEvery, boolean broadcast) {
            this.callEvery = callEvery;
            this.broadcast = broadcast;
        }

        @Override
        public void declare(Declaration graph) {
            calls = graph.vertexChannel("calls");
            caller = graph.longState("caller", VertexChannel.NONE);
        }

        @Override
        public void start(Vertex v) {
            if (calls.received(v) != VertexChannel.NONE || calls.hasReceived(v)) {
                throw new IllegalStateException("called before anybody called");
            }
            if (v.ordinal() % callEvery != 0) {
                return;
            }
            if (broadcast) {
                calls.broadcast(v);
            } else {
                for (EdgeCursor edge = v.edges(); edge.next(); ) {
                    calls.send(edge.target(), v.ordinal());
                }
            }
        }

        @Override
        public void compute(Vertex v) {
            caller.set(v, calls.received(v));
        }
    }

    /** Three channels at once: sends, few broadcasts, many broadcasts, over several supersteps. */
    private static final class Three implements VertexProgram {
        private IntChannel sent;
        private LongChannel few;
        private DoubleChannel many;
        private LongState sum;

        @Override
        public void declare(Declaration graph) {
            sent = graph.intChannel("sent", IntCombiner.SUM);
            few = graph.longChannel("few", LongCombiner.SUM);
            many = graph.doubleChannel("many", DoubleCombiner.MAX);
            sum = graph.longState("sum", 0);
        }

        @Override
        public void start(Vertex v) {
            speak(v);
        }

        @Override
        public void compute(Vertex v) {
            long more = sent.received(v) + 1_000L * few.received(v);
            if (many.hasReceived(v)) {
                more += 1_000_000L * (long) many.received(v);
            }
            sum.set(v, sum.get(v) * 3 + more);
            if (v.superstep() < 5) {
                speak(v);
            }
        }

        private void speak(Vertex v) {
            for (EdgeCursor edge = v.edges(); edge.next(); ) {
                sent.send(edge.target(), 1);
            }
            if (v.ordinal() % 100 == v.superstep()) {
                few.broadcast(v, 7);
            }
            if (v.ordinal() % 5 != v.superstep()) {
                many.broadcast(v, (double) (v.ordinal() % 90));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void keepsChannelsOfOneProgramApart(int peers) {
        TestEdges edges = TestEdges.random(SEED, VERTICES, EDGES);
        ModelGraph model = new ModelGraph(edges, false);
        for (BuildOptions options :
                List.of(BuildOptions.UNDIRECTED, BuildOptions.UNDIRECTED.withWideNeighbours())) {
            String graph = clusters.build(peers, edges, options);

            RunResult result = clusters.run(peers, graph, Three::new);

            assertThat(result.supersteps()).isEqualTo(6);
            assertThat(clusters.longs(peers, graph, "sum")).isEqualTo(three(model));
        }
    }

    private static long[] three(ModelGraph model) {
        long[] sum = new long[model.vertices()];
        for (int superstep = 1; superstep <= 5; superstep++) {
            for (int v = 0; v < sum.length; v++) {
                Set<Integer> row = model.in.get(v).keySet();
                if (row.isEmpty()) {
                    continue;
                }
                int before = superstep - 1;
                long more = row.size();
                more += 7_000L * row.stream().filter(u -> u % 100 == before).count();
                more +=
                        row.stream()
                                .filter(u -> u % 5 != before)
                                .mapToLong(u -> 1_000_000L * (u % 90))
                                .max()
                                .orElse(0);
                sum[v] = sum[v] * 3 + more;
            }
        }
        return sum;
    }

    /** Spreads shares that are no binary fractions. */
    private static final class Shares implements VertexProgram {
        private DoubleChannel shares;
        private DoubleState value;

        @Override
        public void declare(Declaration graph) {
            shares = graph.doubleChannel("shares", DoubleCombiner.SUM);
            value = graph.doubleState("value", 0);
        }

        @Override
        public void start(Vertex v) {
            value.set(v, 1.0 / (v.ordinal() + 3));
            shares.broadcast(v, value.get(v) / Math.max(1, v.degree()));
        }

        @Override
        public void compute(Vertex v) {
            value.set(v, value.get(v) / 7 + shares.received(v));
            if (v.superstep() < 12 && v.ordinal() % v.superstep() != 1) {
                shares.broadcast(v, value.get(v) / Math.max(1, v.degree()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = false)
    void addsFloatingPointToTheSameBitsWhateverThePeers(boolean directed) {
        TestEdges edges = TestEdges.random(SEED, VERTICES, EDGES);
        List<double[]> results = new ArrayList<>();
        for (int peers = 1; peers <= 3; peers++) {
            String graph = clusters.build(peers, edges, new BuildOptions(directed, false));
            clusters.run(peers, graph, Shares::new);
            results.add(clusters.doubles(peers, graph, "value"));
        }

        assertThat(results.get(1)).containsExactly(results.get(0));
        assertThat(results.get(2)).containsExactly(results.get(0));
        assertThat(new TreeSet<>(List.of(results.get(0)[0], results.get(0)[1]))).hasSize(2);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(booleans = true)
    void addsFloatingPointToTheSameBitsWhateverThePeersOverArcs(boolean directed) {
        addsFloatingPointToTheSameBitsWhateverThePeers(directed);
    }

    /** A broadcast and a direct message to the same receiver in one superstep. */
    private static final class Both implements VertexProgram {
        private IntChannel channel;
        private IntState heard;

        @Override
        public void declare(Declaration graph) {
            channel = graph.intChannel("both", IntCombiner.SUM);
            heard = graph.intState("heard", 0);
        }

        @Override
        public void start(Vertex v) {
            channel.broadcast(v, 1);
            channel.send((v.ordinal() + 1) % VERTICES, 1_000);
        }

        @Override
        public void compute(Vertex v) {
            heard.set(v, channel.received(v));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void combinesBroadcastsWithDirectMessages(int peers) {
        TestEdges edges = TestEdges.random(SEED, VERTICES, EDGES);
        ModelGraph model = new ModelGraph(edges, false);
        String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);

        clusters.run(peers, graph, Both::new);

        long[] heard = clusters.longs(peers, graph, "heard");
        for (int v = 0; v < heard.length; v++) {
            assertThat(heard[v]).isEqualTo(1_000 + model.in.get(v).size());
        }
    }

    /** A combiner with a state of its own. */
    private record Modulo(long modulus) implements LongCombiner {
        @Override
        public long combine(long left, long right) {
            return (left + right) % modulus;
        }

        @Override
        public long identity() {
            return 0;
        }
    }

    /** Everybody tells everybody 1. */
    private static final class Counting implements VertexProgram {
        private final long modulus;
        private LongChannel channel;
        private LongState heard;

        private Counting(long modulus) {
            this.modulus = modulus;
        }

        @Override
        public void declare(Declaration graph) {
            channel = graph.longChannel("count", new Modulo(modulus));
            heard = graph.longState("heard", 0);
        }

        @Override
        public void start(Vertex v) {
            channel.broadcast(v, 1);
        }

        @Override
        public void compute(Vertex v) {
            heard.set(v, channel.received(v));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void tellsCombinersOfOneClassApart(int peers) {
        TestEdges edges = TestEdges.random(SEED, 100, 1_000);
        ModelGraph model = new ModelGraph(edges, false);
        String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);
        for (long modulus : new long[] {1_000, 3, 5}) {
            clusters.run(peers, graph, () -> new Counting(modulus));

            long[] heard = clusters.longs(peers, graph, "heard");
            for (int v = 0; v < heard.length; v++) {
                assertThat(heard[v])
                        .as("modulus %d", modulus)
                        .isEqualTo(model.in.get(v).size() % modulus);
            }
        }
    }
}
