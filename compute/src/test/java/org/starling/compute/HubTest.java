package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.internal.graph.RowLengths;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleChannel;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.EdgeDirection;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Vertices whose rows are cut into pieces hear and tell what others hear and tell. */
final class HubTest {
    private static final int VERTICES = 20_000;
    private static final int[] HUBS = {7, 4_000, 19_999};

    @AutoClose private static final Clusters clusters = new Clusters();

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
    private static List<List<Long>> senders(TestEdges edges, boolean both) {
        List<List<Long>> senders = new ArrayList<>();
        for (int v = 0; v < VERTICES; v++) {
            senders.add(new ArrayList<>());
        }
        for (TestEdges.Edge edge : edges.edges()) {
            senders.get((int) edge.to()).add(edge.from());
            if (both) {
                senders.get((int) edge.from()).add(edge.to());
            }
        }
        senders.replaceAll(list -> list.stream().distinct().sorted().toList());
        return senders;
    }

    @ParameterizedTest
    @CsvSource({"1, true, INT", "3, false, DOUBLE"})
    void hubsHearAndTellWhatOthersDo(int peers, boolean directed, AnyChannel.Type type) {
        TestEdges edges = edges();
        String graph = clusters.build(peers, edges, new BuildOptions(directed, false));
        List<List<Long>> senders = senders(edges, !directed);
        // all, many without two hubs, many without the rest, one hub alone
        for (int[] speakers : new int[][] {{1, 0}, {3, 1}, {2, 1}, {20_001, 4_000}}) {
            for (AnyChannel.Rule rule : AnyChannel.Rule.values()) {
                Whisper whisper =
                        new Whisper(type, rule, Whisper.Way.BROADCAST, speakers[0], speakers[1]);

                clusters.run(peers, graph, whisper::program);

                long[] heard = clusters.longsById(peers, graph, Whisper.HEARD);
                for (int v = 0; v < VERTICES; v += v % 4_000 == 7 ? 1 : 3) {
                    whisper.check(v, senders.get(v), heard[v]);
                }
                for (int hub : HUBS) {
                    whisper.check(hub, senders.get(hub), heard[hub]);
                }
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, true, DOUBLE", "3, false, INT"})
    void hubsHearAndTellWhatOthersDoInMoreCases(int peers, boolean directed, AnyChannel.Type type) {
        hubsHearAndTellWhatOthersDo(peers, directed, type);
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
    @ValueSource(booleans = true)
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

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(booleans = false)
    void addsToTheSameBitsWhateverThePeersOverEdges(boolean directed) {
        addsToTheSameBitsWhateverThePeers(directed);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aSettledHubHearsNothing(int peers) {
        TestEdges edges = edges();
        String graph = clusters.build(peers, edges, BuildOptions.UNDIRECTED);
        List<List<Long>> senders = senders(edges, true);
        for (boolean few : new boolean[] {true, false}) {
            clusters.run(
                    peers,
                    graph,
                    () -> new Deaf(id -> id == HUBS[0], id -> !few || id == HUBS[1], 1, 0));

            long[] heard = clusters.longsById(peers, graph, "heard");
            for (int v = 0; v < VERTICES; v++) {
                long calls =
                        v == HUBS[0]
                                ? 0
                                : few
                                        ? senders.get(v).contains((long) HUBS[1]) ? 1 : 0
                                        : senders.get(v).size();
                if (heard[v] != calls) {
                    assertThat(heard[v]).as("calls at %d", v).isEqualTo(calls);
                }
            }
        }
    }
}
