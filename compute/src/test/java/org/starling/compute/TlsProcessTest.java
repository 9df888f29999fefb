package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.ClusterKeys;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.NodeTuning;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.net.NativeMemory;
import org.starling.net.TlsOptions;

/** Peers in processes of their own that prove who they are, chosen by the options alone. */
@Tag("thorough")
@Timeout(60)
final class TlsProcessTest {
    private static final long VERTICES = 5_000;
    private static final Parameters RING = Parameters.of("vertices", VERTICES);

    @TempDir Path folder;

    @Test
    void worksWithGeneratedKeysAndLeavesNoneBehind() throws IOException {
        List<Path> before = keyFolders();

        assertThat(leastId(NodeTls.Word.GENERATED)).isEqualTo(10);

        assertThat(keyFolders()).isEqualTo(before);
    }

    @Tag("slow")
    @Test
    void worksWithKeysOfTheUser() {
        ClusterKeys keys = new ClusterKeys(folder.resolve("keys"));
        keys.make(List.of(), List.of("any"));

        assertThat(leastId(keys.resolve(generated(), "any").tls())).isEqualTo(10);
    }

    @Test
    void saysWhichFileIsWrong() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.pem"), "no certificate");

        assertThatThrownBy(() -> leastId(new NodeTls.Files(new TlsOptions(broken, broken, broken))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("TLS can't be used: %s holds no certificate in PEM", broken);
    }

    private static long leastId(NodeTls tls) {
        long before = NativeMemory.reservedBytes();
        ClusterOptions options =
                new ClusterOptions(2, true, 1, 64L << 20, NodeTuning.DEFAULT.withTls(tls));
        try (ComputeCluster cluster = ComputeCluster.start(options)) {
            GraphSession session = cluster.session(JobListener.SILENT);
            session.build("ring", RingEdges.NAME, RING, BuildOptions.UNDIRECTED);
            session.run("ring", LeastId.NAME, Parameters.NONE);
            try (var least = session.read("ring", "least")) {
                assertThat(least.next()).isTrue();
                return least.asLong();
            }
        } finally {
            assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
        }
    }

    private static NodeTuning generated() {
        return NodeTuning.DEFAULT.withTls(NodeTls.Word.GENERATED);
    }

    private static List<Path> keyFolders() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("starling-keys"))
                    .sorted()
                    .toList();
        }
    }
}
