package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/** What is sent directly arrives in the next superstep, all of it, and in no other. */
final class DirectMessagesTest {
    @ParameterizedTest
    @ValueSource(ints = 3)
    void arriveInTheNextSuperstep(int peers) {
        correspond(peers, false, 1_024, 200, 1);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {5, 8})
    void arriveInTheNextSuperstepInMoreCases(int peers) {
        arriveInTheNextSuperstep(peers);
    }

    @Tag("slow")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @CsvSource({"3, 1", "5, 1", "8, 20"})
    void arriveInTheNextOfTenThousandSupersteps(int peers, int runs) {
        correspond(peers, false, 1_024, 10_000, runs);
    }

    @Tag("slow")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 8})
    void arriveInTheNextSuperstepAcrossProcesses(int peers) {
        correspond(peers, true, 1 << 14, 10_000, 1);
    }

    private static void correspond(
            int peers, boolean separate, long vertices, int supersteps, int runs) {
        try (ComputeCluster cluster =
                ComputeCluster.start(new ClusterOptions(peers, separate, 1, 64L << 20))) {
            GraphSession session = cluster.session(JobListener.SILENT);
            Parameters ring = Parameters.of("vertices", vertices);
            session.build("ring", RingEdges.NAME, ring, BuildOptions.UNDIRECTED);
            for (int i = 0; i < runs; i++) {
                RunResult run =
                        session.run(
                                "ring",
                                Correspondence.NAME,
                                Correspondence.parameters(vertices, supersteps));

                assertThat(run.supersteps()).isEqualTo(supersteps + 1);
            }
        }
    }
}
