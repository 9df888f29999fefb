package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.compute.PeerMemory;
import org.starling.compute.RunLog;
import org.starling.compute.RunRecord;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;

/** What runs were expected to take of peers' memory, beside what they took. */
@Timeout(60)
final class MemoryForecastTest {
    private static final String GRAPH = "kronecker";
    private static final int SCALE = 14;
    private static final long PEER_BYTES = 256L << 20;

    private static final String[] PROGRAMS = {
        "algorithms.bfs", "algorithms.pagerank", "algorithms.sssp", "algorithms.triangles"
    };

    /** So far apart, in either direction, may expectation and fact lie. */
    private static final double FACTOR = 1.4;

    @ParameterizedTest
    @ValueSource(ints = 3)
    void expectsWhatRunsTake(int peers) {
        try (ComputeCluster cluster =
                ComputeCluster.start(new ClusterOptions(peers, false, 1, PEER_BYTES))) {
            RunLog log = new RunLog(JobListener.SILENT);
            GraphSession session = cluster.session(log);
            session.build(
                    GRAPH, "kronecker", Parameters.of("scale", SCALE), BuildOptions.UNDIRECTED);
            long source = session.id(GRAPH, 0);
            log.take();

            Bfs.run(session, GRAPH, source, false);
            PageRank.run(session, GRAPH, new PageRank.Options(0.85, 10, 0, 5), false);
            Sssp.run(session, GRAPH, source, Sssp.Options.DEFAULT);
            Triangles.run(session, GRAPH, false);

            List<RunRecord> runs =
                    log.take().stream()
                            .filter(run -> List.of(PROGRAMS).contains(run.program()))
                            .toList();
            assertThat(runs).extracting(RunRecord::program).containsExactly(PROGRAMS);
            assertThat(runs).allSatisfy(run -> assertThat(run.memory()).hasSize(peers));
            for (PeerMemory peer : runs.stream().flatMap(run -> run.memory().stream()).toList()) {
                assertThat(isNear(peer.expectedBytes(), peer.takenBytes())).as("%s", peer).isTrue();
                assertThat(isNear(peer.expectedBytes() / 2, peer.takenBytes())).isFalse();
                assertThat(isNear(peer.expectedBytes() * 2, peer.takenBytes())).isFalse();
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = 1)
    void expectsWhatRunsTakeInMoreCases(int peers) {
        expectsWhatRunsTake(peers);
    }

    private static boolean isNear(long expectedBytes, long takenBytes) {
        return expectedBytes <= FACTOR * takenBytes && takenBytes <= FACTOR * expectedBytes;
    }
}
