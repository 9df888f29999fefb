package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.cluster.NodeTuning;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;
import org.starling.net.NativeMemory;

/** Peers in processes of their own, over UCX, chosen by the options alone. */
@Tag("thorough")
@Timeout(60)
final class UcxProcessTest {
    private static final long VERTICES = 5_000;
    private static final Parameters RING = Parameters.of("vertices", VERTICES);

    @ParameterizedTest
    @ValueSource(strings = "posix")
    void givesTheResultsThatEthernetGives(String ucxTls) {
        long before = NativeMemory.reservedBytes();
        try (ComputeCluster cluster = start(ucxTls)) {
            assertThat(cluster.transport())
                    .startsWith("infiniband: UCX 1.")
                    .contains("UCX_TLS=" + ucxTls + ",self on ");
            GraphSession session = cluster.session(JobListener.SILENT);
            session.build("ring", RingEdges.NAME, RING, BuildOptions.UNDIRECTED);

            session.run("ring", LeastId.NAME, Parameters.NONE);

            assertThat(session.info("ring").vertices()).isEqualTo(VERTICES);
            try (StateCursor least = session.read("ring", "least")) {
                for (long v = 0; v < VERTICES; v++) {
                    assertThat(least.next()).isTrue();
                    assertThat(least.id()).isEqualTo(10 * (v + 1));
                    assertThat(least.asLong()).isEqualTo(10);
                }
                assertThat(least.next()).isFalse();
            }
            session.drop("ring");
        }
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = "tcp")
    void givesTheResultsThatEthernetGivesInMoreCases(String ucxTls) {
        givesTheResultsThatEthernetGives(ucxTls);
    }

    @Test
    void refusesAtOnceWhatTheMachineLacks() {
        assumeFalse(
                Files.exists(Path.of("/sys/class/infiniband")),
                "this machine has an adapter: not tested");

        assertThatThrownBy(() -> ComputeCluster.start(options("rc")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"ethernet\"");
    }

    @Test
    void refusesADeviceThatIsNotThere() {
        NodeTuning tuning = tuning("posix,tcp", "lo,x9");
        start("posix").close(); // there is UCX

        assertThatThrownBy(() ->
                        ComputeCluster.start(new ClusterOptions(1, true, 1, 64L << 20, tuning)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("no network device \"x9\"")
                .hasMessageContaining("\"ucxDevices\"");
    }

    private static ComputeCluster start(String ucxTls) {
        try {
            return ComputeCluster.start(options(ucxTls));
        } catch (InvalidInputException missing) {
            String message = String.valueOf(missing.getMessage());
            assumeFalse(message.contains("can't be loaded"), message);
            throw missing;
        }
    }

    private static ClusterOptions options(String ucxTls) {
        return new ClusterOptions(2, true, 1, 64L << 20, tuning(ucxTls, ""));
    }

    private static NodeTuning tuning(String ucxTls, String ucxDevices) {
        NodeTuning usual = NodeTuning.DEFAULT;
        return new NodeTuning(
                usual.replication(),
                usual.durability(),
                usual.zoneBytes(),
                usual.checkpointInterval(),
                NodeTuning.Transport.INFINIBAND,
                ucxTls,
                ucxDevices,
                usual.tls(),
                usual.socketSendBytes(),
                usual.socketReceiveBytes(),
                usual.maxConnections(),
                usual.maxRunningJobs(),
                usual.jars(),
                usual.hosts(),
                usual.leaveTimeout());
    }
}
