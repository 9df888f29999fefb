package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.RowCursor;
import org.starling.graph.RunOptions;
import org.starling.graph.Topology;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Programs that change their graph, against a model that does the same the simple way. */
final class TopologyTest {
    private static final Clusters CLUSTERS = new Clusters();
    private static final int VERTICES = 900;

    /** No multiple of the vertices of a word. */
    private static final int LEFT = 100;

    private static final int TIMES = 4;

    @AfterAll
    static void close() {
        CLUSTERS.close();
    }

    private static TestEdges edges(long seed, boolean weighted) {
        TestEdges edges = weighted ? TestEdges.sparseWeighted() : TestEdges.sparse();
        Random random = new Random(seed);
        for (int i = 0; i < 3 * VERTICES; i++) {
            int lot = random.nextInt(1 << 20);
            edges.edge(random.nextInt(VERTICES), random.nextInt(VERTICES), Rewiring.weight(lot));
        }
        return edges.parts(3).vertex(VERTICES + 50);
    }

    @ParameterizedTest
    @CsvSource({"5, OUT, true", "8, DIRECTED, true"})
    void leavesWhatTheModelLeaves(long seed, String form, boolean weighted) {
        BuildOptions options =
                switch (form) {
                    case "UNDIRECTED" -> BuildOptions.UNDIRECTED;
                    case "DIRECTED" -> BuildOptions.DIRECTED;
                    case "OUT" -> BuildOptions.DIRECTED.withoutIncoming();
                    default -> BuildOptions.UNDIRECTED.withWideNeighbours();
                };
        TestEdges edges = edges(seed, weighted);
        boolean goesOn = seed % 2 == 0;
        int steps = 1 + (int) seed % 5;
        boolean countsIncoming = options.directed() && options.incoming();
        RewiringModel model =
                new RewiringModel(edges, seed, options.directed(), countsIncoming, weighted)
                        .run(steps, goesOn);
        for (int peers : new int[] {1, 3}) {
            String graph = CLUSTERS.build(peers, edges, options);

            CLUSTERS.run(peers, graph, () -> new Rewiring(seed, steps, goesOn));

            GraphSession session = CLUSTERS.session(peers);
            assertThat(session.info(graph).vertices()).isEqualTo(model.nodes.size());
            assertThat(session.info(graph).edges()).isEqualTo(model.edges());
            same(rows(session, graph), model.rows());
            same(Clusters.texts(session, graph, Rewiring.SEEN), model.seen());
            same(Clusters.texts(session, graph, Rewiring.FRIEND), model.friends());
            session.drop(graph);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "1, UNDIRECTED, false",
        "2, UNDIRECTED, true",
        "3, DIRECTED, false",
        "4, DIRECTED, true",
        "6, WIDE, true",
        "7, UNDIRECTED, true"
    })
    void leavesWhatTheModelLeavesInMoreCases(long seed, String form, boolean weighted) {
        leavesWhatTheModelLeaves(seed, form, weighted);
    }

    /** Adds a vertex in each superstep, and never ends by itself. */
    private static final class Growing implements VertexProgram {
        private Topology topology;

        @Override
        public void declare(Declaration graph) {
            topology = graph.topology();
            graph.alwaysActive();
        }

        @Override
        public void start(Vertex v) {
            compute(v);
        }

        @Override
        public void compute(Vertex v) {
            topology.addVertex(10_000 + v.superstep());
        }
    }

    @Test
    void endsAProgramThatChangesTheGraphBehindItsLastSuperstep() {
        TestEdges edges = edges(9, false);
        String graph = CLUSTERS.build(1, edges, BuildOptions.UNDIRECTED);
        GraphSession session = CLUSTERS.session(1);
        long before = session.info(graph).vertices();

        assertThatThrownBy(() ->
                        session.run(
                                graph,
                                TestPrograms.NAME,
                                TestPrograms.named(Growing::new),
                                new RunOptions(3, Map.of())))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("has not ended after 3 supersteps");

        assertThat(session.info(graph).vertices()).isEqualTo(before);
        session.drop(graph);
    }

    /** Starts at one vertex, which goes at once, and ends one superstep later. */
    private static final class Leaving implements VertexProgram {
        private Topology topology;
        private LongChannel calls;

        @Override
        public void declare(Declaration graph) {
            topology = graph.topology();
            calls = graph.longChannel("calls", LongCombiner.SUM, EdgeDirection.OUTGOING);
            graph.startAt(5);
        }

        @Override
        public void start(Vertex v) {
            calls.broadcast(v, 1);
            topology.removeVertex(v);
        }

        @Override
        public void compute(Vertex v) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void goesOnWhenTheVertexWhereItStartedHasGone(int peers) {
        String graph = CLUSTERS.build(peers, edges(10, false), BuildOptions.UNDIRECTED);
        GraphSession session = CLUSTERS.session(peers);
        long before = session.info(graph).vertices();

        assertThat(CLUSTERS.run(peers, graph, Leaving::new).supersteps()).isEqualTo(2);

        assertThat(session.info(graph).vertices()).isEqualTo(before - 1);
        GraphQueries queries = session.queries();
        assertThatThrownBy(() -> queries.neighbours(graph, 6, EdgeDirection.OUTGOING, 0, 1))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has changed graph");
        assertThatThrownBy(() -> queries.path(graph, 6, 7, 10, Duration.ofSeconds(1)))
                .isInstanceOf(InvalidInputException.class);
        session.drop(graph);
    }

    /** Asks for changes where nobody hears them. */
    private static final class Whispering implements VertexProgram {
        private Topology topology;

        @Override
        public void declare(Declaration graph) {
            topology = graph.topology();
        }

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}

        @Override
        public void afterSuperstep(Master master) {
            topology.addVertex(10_000);
        }
    }

    @Test
    void saysThatTheMasterCannotChangeTheGraph() {
        String graph = CLUSTERS.build(1, edges(11, false), BuildOptions.UNDIRECTED);

        assertThatThrownBy(() -> CLUSTERS.run(1, graph, Whispering::new))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("afterSuperstep");

        CLUSTERS.session(1).drop(graph);
    }

    /** Removes all vertices but the first ones. */
    private static final class Shrink implements VertexProgram {
        private Topology topology;

        @Override
        public void declare(Declaration graph) {
            topology = graph.topology();
        }

        @Override
        public void start(Vertex v) {
            if (v.ordinal() >= LEFT) {
                topology.removeVertex(v);
            }
        }

        @Override
        public void compute(Vertex v) {}
    }

    /** Adds up what neighbours say, some times. */
    private static final class Listen implements VertexProgram {
        private LongState heard;
        private LongChannel said;

        @Override
        public void declare(Declaration graph) {
            heard = graph.longState("heard", 0);
            said = graph.longChannel("said", LongCombiner.SUM);
            graph.alwaysActive();
        }

        @Override
        public void start(Vertex v) {
            said.broadcast(v, v.id() + 1);
        }

        @Override
        public void compute(Vertex v) {
            heard.set(v, heard.get(v) + said.received(v));
            said.broadcast(v, v.id() + 1);
        }

        @Override
        public void afterSuperstep(Master master) {
            if (master.superstep() == TIMES) {
                master.halt();
            }
        }
    }

    /** Shards behind the last vertex that is left begin in the middle of a word, and are empty. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void letsProgramsRunOnAGraphWhoseLastShardsAreEmpty(int peers) {
        String graph = CLUSTERS.build(peers, edges(9, false), BuildOptions.UNDIRECTED);
        GraphSession session = CLUSTERS.session(peers);

        CLUSTERS.run(peers, graph, Shrink::new);
        CLUSTERS.run(peers, graph, Listen::new);

        assertThat(session.info(graph).vertices()).isEqualTo(LEFT);
        TreeMap<Long, String> expected = new TreeMap<>();
        rows(session, graph)
                .forEach((id, row) ->
                        expected.put(
                                id, "" + TIMES * row.stream().mapToLong(other -> other + 1).sum()));
        same(Clusters.texts(session, graph, "heard"), expected);
        session.drop(graph);
    }

    /** Says what differs, and not all that there is. */
    static <V> void same(SortedMap<Long, V> found, SortedMap<Long, V> expected) {
        TreeMap<Long, V> more = new TreeMap<>(found);
        TreeMap<Long, V> less = new TreeMap<>(expected);
        more.entrySet().removeAll(expected.entrySet());
        less.entrySet().removeAll(found.entrySet());
        assertThat(more).isEqualTo(less);
    }

    private static SortedMap<Long, List<Long>> rows(GraphSession session, String graph) {
        Map<Long, Long> ids = new HashMap<>();
        Map<Long, List<Long>> targets = new HashMap<>();
        try (RowCursor cursor = session.rows(graph)) {
            while (cursor.next()) {
                ids.put(cursor.ordinal(), cursor.id());
                List<Long> row = new ArrayList<>();
                for (int i = 0; i < cursor.degree(); i++) {
                    row.add(cursor.target(i));
                }
                targets.put(cursor.id(), row);
            }
        }
        TreeMap<Long, List<Long>> rows = new TreeMap<>();
        targets.forEach((id, row) -> rows.put(id, row.stream().map(ids::get).sorted().toList()));
        return rows;
    }
}
