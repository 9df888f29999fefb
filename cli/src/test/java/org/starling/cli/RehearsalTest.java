package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rehearsal, in a process of its own because it ends with one. */
@Tag("slow")
final class RehearsalTest {
    @TempDir Path folder;

    @Test
    void runsAScriptAloneAndOnAClusterInsideOneProcess() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path script = Checkout.root().resolve("examples/scripts/first-flight.json");

        ProcessRun run =
                ProcessRun.of(
                        List.of(
                                java,
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Rehearsal.class.getName(),
                                script.toString(),
                                folder.toString()),
                        folder,
                        Map.of());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(folder.resolve("data/superpeer-2")).isNotEmptyDirectory();
        assertThat(folder.resolve("data/peer-1")).isNotEmptyDirectory();
    }
}
