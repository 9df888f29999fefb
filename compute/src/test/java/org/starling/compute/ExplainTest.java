package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.RunResult;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** What is told of a run when it has ended. */
final class ExplainTest {
    private static final int VERTICES = 2_000;

    private final List<RunRecord> records = new ArrayList<>();

    private final JobListener listener =
            new JobListener() {
                @Override
                public void progress(String what, long done, long total) {}

                @Override
                public void superstep(int superstep, long active, long messages) {}

                @Override
                public void ran(RunRecord record) {
                    records.add(record);
                }
            };

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void tellsWhatEverySuperstepTook(int peers) {
        try (ComputeCluster cluster =
                ComputeCluster.start(new ClusterOptions(peers, false, 0, Clusters.PEER_BYTES))) {
            GraphSession session = cluster.session(listener);
            GraphInfo graph =
                    session.build(
                                    "g",
                                    TestEdges.NAME,
                                    crowdWithTail().named(),
                                    BuildOptions.UNDIRECTED)
                            .graph();

            RunResult result = session.run("g", TestPrograms.NAME, TestPrograms.named(Least::new));

            RunRecord record = records.getLast();
            List<SuperstepRecord> history = record.history();
            assertThat(record.program()).isEqualTo(TestPrograms.NAME);
            assertThat(record.graph()).isEqualTo("g");
            assertThat(record.supersteps()).isEqualTo(result.supersteps()).isGreaterThan(3);
            assertThat(history).hasSize(result.supersteps());
            assertThat(history.stream().mapToLong(SuperstepRecord::messages).sum())
                    .isEqualTo(result.messages());
            assertThat(record.expectedMostMessages()).isEqualTo(graph.storedEdges());
            assertThat(record.memory())
                    .hasSize(peers)
                    .isSortedAccordingTo(
                            Comparator.comparingLong(PeerMemory::takenBytes).reversed())
                    .allSatisfy(memory -> {
                        assertThat(memory.takenBytes()).isBetween(1L, memory.expectedBytes());
                        assertThat(memory.availableBytes()).isGreaterThan(memory.expectedBytes());
                    });
            assertThat(history.getFirst().frontier()).isEqualTo(VERTICES);
            assertThat(history.getFirst().messages()).isEqualTo(record.expectedMostMessages());
            assertThat(history.getFirst().direction()).isEqualTo("none");
            assertThat(history.get(1).direction()).isEqualTo("pull");
            assertThat(history.stream().map(SuperstepRecord::direction)).contains("push");
            assertThat(history)
                    .allSatisfy(superstep -> {
                        assertThat(superstep.slowestShard()).isBetween(0, graph.shards() - 1);
                        assertThat(superstep.slowestSeconds()).isBetween(0.0, superstep.seconds());
                    });
            assertThat(history.get(1).bytes() > 0).isEqualTo(peers > 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void pushesEverythingWhereIncomingEdgesAreNotStored(int peers) {
        try (ComputeCluster cluster =
                ComputeCluster.start(new ClusterOptions(peers, false, 0, Clusters.PEER_BYTES))) {
            GraphSession session = cluster.session(listener);
            for (BuildOptions options :
                    List.of(BuildOptions.DIRECTED, BuildOptions.DIRECTED.withoutIncoming())) {
                session.build("g", TestEdges.NAME, crowdWithTail().named(), options);
                session.run("g", TestPrograms.NAME, TestPrograms.named(Least::new));
                session.drop("g");
            }

            assertThat(records).extracting(RunRecord::incoming).containsExactly(true, false);
            assertThat(directions(records.getFirst())).contains("pull");
            assertThat(directions(records.getLast())).contains("push").doesNotContain("pull");
            assertThat(records.getLast().supersteps()).isEqualTo(records.getFirst().supersteps());
        }
    }

    private static List<String> directions(RunRecord record) {
        return record.history().stream().map(SuperstepRecord::direction).toList();
    }

    @Test
    void expectsColumnsForEveryVertex() {
        try (ComputeCluster cluster =
                ComputeCluster.start(new ClusterOptions(1, false, 0, Clusters.PEER_BYTES))) {
            GraphSession session = cluster.session(listener);
            session.build(
                    "g",
                    TestEdges.NAME,
                    TestEdges.dense(0, VERTICES).named(),
                    BuildOptions.DIRECTED);

            session.run("g", TestPrograms.NAME, TestPrograms.named(Least::new));

            // a state, two inboxes and two published columns of four pages; five bitmaps of one,
            // and the marks of four of them
            assertThat(records.getLast().memory())
                    .singleElement()
                    .extracting(PeerMemory::expectedBytes)
                    .isEqualTo((5 * 4 + 5 + 4) * 4096L);
            assertThat(records.getLast().expectedMostMessages()).isZero();
        }
    }

    /** Random edges among most vertices, and a path of the last ones. */
    private static TestEdges crowdWithTail() {
        TestEdges edges = TestEdges.dense(0, VERTICES);
        Random random = new Random(3);
        int crowd = VERTICES - 20;
        for (int i = 0; i < 6 * VERTICES; i++) {
            edges.edge(random.nextInt(crowd), random.nextInt(crowd));
        }
        for (int i = crowd; i < VERTICES; i++) {
            edges.edge(i - 1, i);
        }
        return edges;
    }

    /** Smallest ordinal of each component. */
    private static final class Least implements VertexProgram {
        private LongState least;
        private LongChannel smaller;

        @Override
        public void declare(Declaration graph) {
            least = graph.longState("least", 0);
            smaller = graph.longChannel("smaller", LongCombiner.MIN);
        }

        @Override
        public void start(Vertex v) {
            least.set(v, v.ordinal());
            smaller.broadcast(v, v.ordinal());
        }

        @Override
        public void compute(Vertex v) {
            if (smaller.received(v) < least.get(v)) {
                least.set(v, smaller.received(v));
                smaller.broadcast(v, smaller.received(v));
            }
        }
    }
}
