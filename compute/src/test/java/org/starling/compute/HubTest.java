package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.internal.graph.RowLengths;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleChannel;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.EdgeDirection;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.LongState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexChannel;
import org.starling.graph.VertexProgram;

/** Vertices whose rows are cut into pieces hear and tell what others hear and tell. */
final class HubTest {
    private static final int VERTICES = 20_000;
    private static final int[] HUBS = {7, 4_000, 19_999};
    private static final long SILENCE = -777_777;

    private static Clusters clusters;

    @BeforeAll
    static void open() {
        clusters = new Clusters();
    }

    @AfterAll
    static void close() {
        clusters.close();
    }

    /** A ring, and hubs with three, two, and just no pieces; the last one is not known as a hub. */
    private static TestEdges edges() {
        TestEdges made = TestEdges.dense(0, VERTICES).parts(3);
        for (int v = 0; v < VERTICES; v++) {
            made.edge(v, (v + 1) % VERTICES);
            hubEdge(made, HUBS[0], v, 1);
            hubEdge(made, HUBS[1], v, 2);
        }
        for (int v = 0; v < RowLengths.PIECE_EDGES - 2; v++) {
            hubEdge(made, HUBS[2], v + 10, 1);
        }
        return made;
    }

    /** Adds an edge to every {@code every}-th vertex, and one from it to the hub. */
    private static void hubEdge(TestEdges made, int hub, int v, int every) {
        if (v % every == 0 && v != hub) {
            made.edge(hub, v);
            made.edge(v, hub);
        }
    }

    /** Senders of each vertex, by id. */
    private static List<List<Integer>> senders(TestEdges edges, boolean both) {
        List<List<Integer>> senders = new ArrayList<>();
        for (int v = 0; v < VERTICES; v++) {
            senders.add(new ArrayList<>());
        }
        for (TestEdges.Edge edge : edges.edges()) {
            senders.get((int) edge.to()).add((int) edge.from());
            if (both) {
                senders.get((int) edge.from()).add((int) edge.to());
            }
        }
        senders.replaceAll(list -> list.stream().distinct().sorted().toList());
        return senders;
    }

    static Stream<Arguments> peersAndForms() {
        return Stream.of(1, 3)
                .flatMap(peers -> Stream.of(true, false).map(form -> Arguments.of(peers, form)));
    }

    @ParameterizedTest
    @MethodSource("peersAndForms")
    void hubsHearAndTellWhatOthersDo(int peers, boolean directed) {
        TestEdges edges = edges();
        String graph = clusters.build(peers, edges, new BuildOptions(directed, false));
        List<List<Integer>> senders = senders(edges, !directed);
        // all, many without two hubs, many without the rest, one hub alone
        for (int[] speakers : new int[][] {{1, 0}, {3, 1}, {2, 1}, {20_001, 4_000}}) {
            for (AnyChannel.Type type : List.of(AnyChannel.Type.INT, AnyChannel.Type.DOUBLE)) {
                for (AnyChannel.Rule rule : AnyChannel.Rule.values()) {
                    clusters.run(
                            peers, graph, () -> new Whisper(type, rule, speakers[0], speakers[1]));

                    long[] heard = clusters.longsById(peers, graph, "heard");
                    String what = type + " " + rule + " of " + Arrays.toString(speakers);
                    for (int v = 0; v < VERTICES; v += v % 4_000 == 7 ? 1 : 3) {
                        check(heard[v], said(senders.get(v), speakers), rule, what + " at " + v);
                    }
                    for (int hub : HUBS) {
                        check(heard[hub], said(senders.get(hub), speakers), rule, what);
                    }
                }
            }
        }
    }

    private static long[] said(List<Integer> senders, int[] speakers) {
        return senders.stream()
                .filter(u -> speaks(u, speakers[0], speakers[1]))
                .mapToLong(HubTest::word)
                .toArray();
    }

    private static void check(long heard, long[] said, AnyChannel.Rule rule, String what) {
        if (said.length == 0) {
            assertThat(heard).as(what).isEqualTo(SILENCE);
        } else if (rule == AnyChannel.Rule.ANY) {
            assertThat(LongStream.of(said).anyMatch(word -> word == heard)).as(what).isTrue();
        } else {
            assertThat(heard)
                    .as(what)
                    .isEqualTo(LongStream.of(said).reduce(rule.model).orElseThrow());
        }
    }

    private static boolean speaks(long id, int every, int rest) {
        return id % every == rest;
    }

    private static long word(long id) {
        return (id * 37 + 11) % 1_000 - 500;
    }

    /** Some vertices speak once; everybody who hears writes it down. */
    private static final class Whisper implements VertexProgram {
        private final AnyChannel.Type type;
        private final AnyChannel.Rule rule;
        private final int every;
        private final int rest;
        private AnyChannel channel;
        private LongState heard;

        private Whisper(AnyChannel.Type type, AnyChannel.Rule rule, int every, int rest) {
            this.type = type;
            this.rule = rule;
            this.every = every;
            this.rest = rest;
        }

        @Override
        public void declare(Declaration graph) {
            channel = AnyChannel.declare(graph, "whisper", type, rule);
            heard = graph.longState("heard", SILENCE);
        }

        @Override
        public void start(Vertex v) {
            if (speaks(v.id(), every, rest)) {
                channel.broadcast(v, word(v.id()));
            }
        }

        @Override
        public void compute(Vertex v) {
            heard.set(v, channel.received(v));
        }
    }

    /** Shares that are no binary fractions, along both directions and directly, for some rounds. */
    private static final class Shares implements VertexProgram {
        private DoubleChannel shares;
        private DoubleState value;

        @Override
        public void declare(Declaration graph) {
            shares = graph.doubleChannel("shares", DoubleCombiner.SUM, EdgeDirection.BOTH);
            value = graph.doubleState("value", 0);
        }

        @Override
        public void start(Vertex v) {
            value.set(v, 1.0 / (v.id() + 3));
            shares.broadcast(v, value.get(v));
        }

        @Override
        public void compute(Vertex v) {
            value.set(v, value.get(v) / 7 + shares.received(v) / 20_000);
            if (v.superstep() < 4 && (v.superstep() == 1 || v.id() % 3 != 1)) {
                shares.broadcast(v, value.get(v));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void addsToTheSameBitsWhateverThePeers(boolean directed) {
        List<double[]> results = new ArrayList<>();
        for (int peers = 1; peers <= 3; peers++) {
            String graph = clusters.build(peers, edges(), new BuildOptions(directed, false));
            clusters.run(peers, graph, Shares::new);
            results.add(clusters.doubles(peers, graph, "value"));
        }

        assertThat(results.get(1)).containsExactly(results.get(0));
        assertThat(results.get(2)).containsExactly(results.get(0));
        assertThat(Arrays.stream(results.get(0)).max().orElseThrow()).isPositive();
    }

    /** Some settle at the start, and count the calls that they get all the same. */
    private static final class Deaf implements VertexProgram {
        private final boolean few;
        private IntChannel call;
        private VertexChannel caller;
        private IntState heard;

        private Deaf(boolean few) {
            this.few = few;
        }

        @Override
        public void declare(Declaration graph) {
            call = graph.intChannel("call", IntCombiner.SUM);
            caller = graph.vertexChannel("caller");
            heard = graph.intState("heard", 0);
        }

        @Override
        public void start(Vertex v) {
            if (v.id() == HUBS[0]) {
                v.settle();
            }
            if (!few || v.id() == HUBS[1]) {
                call.broadcast(v, 1);
                caller.broadcast(v);
            }
        }

        @Override
        public void compute(Vertex v) {
            heard.set(v, caller.hasReceived(v) ? call.received(v) : -1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aSettledHubHearsNothing(int peers) {
        TestEdges edges = edges();
        String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);
        List<List<Integer>> senders = senders(edges, true);
        for (boolean few : new boolean[] {true, false}) {
            clusters.run(peers, graph, () -> new Deaf(few));

            long[] heard = clusters.longsById(peers, graph, "heard");
            for (int v = 0; v < VERTICES; v++) {
                long calls =
                        v == HUBS[0]
                                ? 0
                                : few
                                        ? senders.get(v).contains(HUBS[1]) ? 1 : 0
                                        : senders.get(v).size();
                if (heard[v] != calls) {
                    assertThat(heard[v]).as("calls at %d", v).isEqualTo(calls);
                }
            }
        }
    }
}
