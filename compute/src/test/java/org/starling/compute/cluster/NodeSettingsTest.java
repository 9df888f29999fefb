package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.compute.GroupName;
import org.starling.compute.jars.JarRules;
import org.starling.compute.script.JsonText;
import org.starling.graph.InvalidInputException;
import org.starling.net.TlsOptions;

/** What a process is to be arrives as it was meant, as an argument and as the plan of a cluster. */
@Timeout(60)
final class NodeSettingsTest {
    private static final TlsOptions FILES =
            new TlsOptions(Path.of("/a b/c=\".pem"), Path.of("/k,ü.pem"), Path.of("/ca.pem"));

    @TempDir Path folder;

    static Stream<NodeTls> choices() {
        return Stream.of(NodeTls.Word.OFF, NodeTls.Word.GENERATED, new NodeTls.Files(FILES));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void travelsAsAnArgument(NodeTls tls) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7400);
        NodeSettings settings =
                new NodeSettings(
                        "peer-1",
                        false,
                        1,
                        address,
                        "peer-1.flock.example",
                        "rack7/host3",
                        List.of(address, address, address),
                        folder,
                        2,
                        1 << 20,
                        new RestSettings(
                                7500,
                                Path.of("/a b/to,ken"),
                                true,
                                List.of(Path.of("/a:b"), folder)),
                        new MonitorSettings(7501, null, true),
                        true,
                        NodeSettings.Keeper.OUTSIDE,
                        tuning(tls),
                        new GroupName("night-2"));

        assertThat(NodeSettings.of(settings.argument())).isEqualTo(settings);
    }

    @ParameterizedTest
    @MethodSource("choices")
    void liesInTheFolderOfTheCluster(NodeTls tls) {
        ClusterPlan plan =
                ClusterPlan.of(folder, 3, 4)
                        .withTuning(tuning(tls))
                        .withGroups(Map.of("night", 3))
                        .withRoots(List.of(folder, Path.of("/a b")))
                        .withSupervisor(true);
        ClusterFolder files = new ClusterFolder(folder);
        files.make();

        files.writePlan(plan.tree());

        assertThat(ClusterPlan.of(folder, files.plan().orElseThrow())).isEqualTo(plan);
    }

    @Test
    void takesTheUsualTuningWhereThePlanOfAnEarlierVersionSaysNothing() {
        Map<?, ?> earlier =
                (Map<?, ?>)
                        JsonText.parse(
                                """
                                {"superpeers": 3, "peers": 2, "threadsPerPeer": 0, "memoryBytesPerPeer": 0,
                                 "basePort": 7400, "restPort": 7500, "replication": 3, "durability": "POWER",
                                 "zoneBytes": 268435456, "checkpointMillis": 5000, "transport": "ETHERNET", "ucxTls": ""}
                                """);

        assertThat(ClusterPlan.of(folder, Objects.requireNonNull(earlier)))
                .isEqualTo(ClusterPlan.of(folder, 3, 2));
    }

    @Test
    void saysWhatIsWrongWithAPlan() {
        assertThatThrownBy(() -> ClusterPlan.of(folder, Map.of("superpeers", "three")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        folder
                                + " does not say what cluster it holds: superpeers: expected a whole number, found \"three\"");
    }

    @Test
    void givesEachProcessOfAClusterKeysOfItsOwn() {
        ClusterPlan plan = ClusterPlan.of(folder, 3, 2).withTuning(tuning(NodeTls.Word.GENERATED));
        ClusterRoster roster = new ClusterRoster(plan, new ClusterFolder(folder));

        assertThat(roster.names().stream().map(name -> roster.settings(name).tuning().tls()))
                .doesNotHaveDuplicates()
                .allMatch(NodeTls.Files.class::isInstance);
    }

    @Test
    void refusesTlsOverInfiniband() {
        NodeTuning usual = tuning(NodeTls.Word.GENERATED);

        assertThatThrownBy(() ->
                        new NodeTuning(
                                1,
                                usual.durability(),
                                usual.zoneBytes(),
                                usual.checkpointInterval(),
                                NodeTuning.Transport.INFINIBAND,
                                "",
                                "",
                                usual.tls(),
                                0,
                                0,
                                usual.maxConnections(),
                                1,
                                usual.jars(),
                                usual.hosts(),
                                usual.leaveTimeout()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TLS");
    }

    @Test
    void refusesHalfAChoice() {
        assertThatThrownBy(() -> NodeTls.of(Map.of("certificate", "c", "key", "")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"key\"");
    }

    private static NodeTuning tuning(NodeTls tls) {
        return new NodeTuning(
                2,
                NodeTuning.Durability.PROCESS,
                NodeTuning.MIN_ZONE_BYTES,
                Duration.ofMillis(300),
                NodeTuning.Transport.ETHERNET,
                "posix,tcp",
                "eth0,mlx5_0:1",
                tls,
                64 << 10,
                NodeTuning.MIN_SOCKET_BYTES,
                NodeTuning.USUAL_CONNECTIONS,
                3,
                JarRules.DEFAULT,
                List.of(),
                NodeTuning.USUAL_LEAVE_TIMEOUT);
    }
}
