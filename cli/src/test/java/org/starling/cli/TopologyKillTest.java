package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.BenchOrder;
import org.starling.compute.script.JsonText;

/** A program changes its graph on a cluster of processes, of which a slave and the master go. */
@Tag("slow")
final class TopologyKillTest {
    /** The graph that is left is read by tasks that know nothing of all this. */
    private static final String SCRIPT =
            """
            {"name": "contract", "tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 11, "edgefactor": 3},
              {"task": "graph.wcc", "graph": "g"},
              {"task": "example.contract", "graph": "g"},
              {"task": "graph.write", "graph": "g", "state": "component", "file": "before.txt"},
              {"task": "graph.pagerank", "graph": "g", "iterations": 10},
              {"task": "graph.wcc", "graph": "g"},
              {"task": "graph.write", "graph": "g", "state": "component", "file": "components.txt"},
              {"task": "graph.write", "graph": "g", "state": "pagerank", "file": "ranks.txt"}]}
            """;

    private static final String SETTINGS =
            """
            {"threadsPerPeer": 1, "memoryPerPeer": "256MiB"}
            """;

    @TempDir Path folder;

    @Test
    void leavesTheSameGraphWhenASlaveAndTheMasterGo() throws IOException {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("bench", "job", "--script", write("contract.json", SCRIPT)));
        words.addAll(List.of("--config", write("settings.json", SETTINGS), "--peers", "5"));
        words.addAll(List.of("--compare", "--json"));
        words.addAll(List.of("--kill", "slave@task=2,superstep=3"));
        words.addAll(List.of("--kill", "master@task=2,superstep=5"));
        Screen screen = new Screen();

        ExitCode code =
                new Commands(List.of(new BenchCommand()))
                        .run(
                                words.toArray(String[]::new),
                                screen.terminal(folder),
                                new Interruption());

        assertThat(code).as("%s%s", screen.err(), screen.out()).isEqualTo(ExitCode.DONE);
        Map<?, ?> report = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
        Map<?, ?> compared = (Map<?, ?>) Objects.requireNonNull(report.get(BenchOrder.COMPARED));
        assertThat(compared.get(BenchOrder.DIFFERENCES)).isEqualTo(0L);
        assertThat(compared.get("files")).isEqualTo(3L);
        assertThat((Long) report.get("recoveries")).isGreaterThanOrEqualTo(2);
        List<?> events = (List<?>) Objects.requireNonNull(report.get("recoveryEvents"));
        assertThat(events)
                .extracting(event -> (Long) ((Map<?, ?>) event).get("resumedAt"))
                .as("the run went on behind a change")
                .anyMatch(superstep -> superstep > 0);
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }
}
