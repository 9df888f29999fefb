package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.script.JsonText;

/** The whole system over every wire between processes, chosen by the configuration alone. */
@Tag("slow")
@Timeout(120)
final class WiresTest {
    @TempDir Path folder;

    private final Screen screen = new Screen();

    @BeforeEach
    void writeAScript() throws IOException {
        Files.writeString(
                folder.resolve("s.json"),
                """
                {"name": "wires", "tasks": [
                  {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 10},
                  {"task": "graph.wcc", "as": "cc", "graph": "g"},
                  {"task": "graph.pagerank", "as": "pr", "graph": "g", "iterations": 3, "top": 5}]}
                """);
    }

    @AfterEach
    void leaveNothingBehind() {
        run("cluster", "stop");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "transport": "ethernet"                                               | ethernet
                    "transport": "ethernet", "tls": "generated"                           | ethernet with TLS 1.3
                    "transport": "infiniband", "ucxTls": "posix"                          | UCX_TLS=posix,self on
                    "transport": "infiniband", "ucxTls": "tcp"                            | UCX_TLS=tcp,self on
                    "transport": "infiniband", "ucxTls": "posix,tcp", "ucxDevices": "lo"  | UCX_TLS=posix,tcp,self on
                    """)
    void givesTheResultsOfOneProcess(String keys, String transport) throws IOException {
        assertThat(run("run", "s.json", "--json")).isEqualTo(ExitCode.DONE);
        List<?> expected = lastResults();
        configure(keys);

        ExitCode code = run("run", "s.json", "--processes", "--json");
        assumeFalse(screen.err().contains("can't be loaded"), "there is no UCX: not tested");
        assertThat(code).as(screen.err()).isEqualTo(ExitCode.DONE);
        assertThat(lastResults()).isEqualTo(expected);
        assertThat(run("cluster", "start")).as(screen.err()).isEqualTo(ExitCode.DONE);
        assertThat(run("submit", "s.json", "--json")).as(screen.err()).isEqualTo(ExitCode.DONE);
        assertThat(lastResults()).isEqualTo(expected);
        assertThat(run("cluster", "status", "--verbose")).isEqualTo(ExitCode.DONE);
        assertThat(run("cluster", "stop")).isEqualTo(ExitCode.DONE);

        for (int node = 0; node <= 2; node++) {
            assertThat(screen.out()).containsPattern("node " + node + ", .*" + transport);
        }
        if (transport.startsWith("UCX")) {
            assertThat(screen.err().lines().filter(line -> line.startsWith("infiniband: UCX")))
                    .as("said by run and by cluster start")
                    .hasSize(2)
                    .allMatch(line -> line.contains(transport));
        }
    }

    @Test
    void refusesInOneSentenceWhatTheMachineLacks() throws IOException {
        assumeFalse(
                Files.exists(Path.of("/sys/class/infiniband")),
                "this machine has an adapter: not tested");
        configure("\"transport\": \"infiniband\", \"ucxTls\": \"rc\"");

        assertThat(run("run", "s.json", "--processes")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("cluster", "start")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err().lines().filter(line -> line.startsWith("starling: ")))
                .hasSize(2)
                .allMatch(line -> line.contains("UCX"))
                .allMatch(line -> line.contains("\"transport\" to \"ethernet\""));
    }

    private void configure(String keys) throws IOException {
        int port = FreePorts.base();
        Files.writeString(
                folder.resolve("starling.json"),
                ("{\"processes\": true, \"peers\": 2, \"threadsPerPeer\": 1, \"memoryPerPeer\": \"256MiB\","
                                + " \"basePort\": %d, \"restPort\": %d, %s}")
                        .formatted(port, port + 90, keys));
    }

    private ExitCode run(String... words) {
        return Commands.all().run(words, screen.terminal(folder), new Interruption());
    }

    /** Results of all tasks of the report that was printed last, without times. */
    private List<?> lastResults() {
        String line = screen.out().lines().toList().getLast();
        Map<?, ?> report = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(line));
        List<?> tasks = (List<?>) Objects.requireNonNull(report.get("tasks"));
        return tasks.stream().map(task -> ((Map<?, ?>) task).get("result")).toList();
    }
}
