package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.JobRequest;

/** Results on their way from a cluster of real processes to whoever has submitted the job. */
@Tag("slow")
@Timeout(240)
final class FetchProcessTest {
    private static final String SCRIPT =
            """
            {"name": "fetched", "tasks": [
              {"task": "graph.generate", "graph": "web", "generator": "kronecker", "scale": 12},
              {"task": "graph.bfs", "graph": "web", "source": 1},
              {"task": "graph.write", "graph": "web", "state": "level", "file": "levels.txt"},
              {"task": "graph.pagerank", "graph": "web", "iterations": 60},
              {"task": "graph.write", "graph": "web", "state": "parent", "file": "out/parents", "parts": true},
              {"task": "graph.write", "graph": "web", "state": "pagerank", "file": "ranks.txt"}]}
            """;

    private static final String FAILING =
            """
            {"name": "failing", "tasks": [
              {"task": "graph.generate", "graph": "web", "generator": "grid", "scale": 6},
              {"task": "graph.degrees", "graph": "web"},
              {"task": "graph.write", "graph": "web", "state": "degree", "file": "degrees.txt"},
              {"task": "graph.write", "graph": "web", "state": "none", "file": "none.txt"}]}
            """;

    @TempDir Path folder;

    @Test
    void arriveWholeThoughASlaveAndTheMasterAreLost() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, 1, 5)) {
            ClusterClient client = cluster.client();
            Path script = Files.createDirectory(folder.resolve("home")).resolve("s.json");
            Files.writeString(script, SCRIPT);
            assertThat(submit(cluster, script, "calm")).isEqualTo(ExitCode.DONE);

            long id = client.submit(JobRequest.read(script, Map.of()).withFetch(), 99);
            cluster.await(() -> client.job(id).orElseThrow().status() == Status.RUNNING);
            cluster.processes().kill(cluster.slave().name());
            int master = client.status().master();
            cluster.processes().kill(cluster.process(master).name());
            cluster.awaitEnd(id, Status.SUCCEEDED);
            Path disturbed = folder.resolve("disturbed");
            assertThat(
                            command(
                                    cluster,
                                    "report",
                                    Long.toString(id),
                                    "--fetch",
                                    disturbed.toString()))
                    .isEqualTo(ExitCode.DONE);

            Path calm = folder.resolve("calm");
            assertThat(disturbed.resolve("levels.txt"))
                    .hasSameTextualContentAs(calm.resolve("levels.txt"));
            assertThat(disturbed.resolve("ranks.txt"))
                    .hasSameTextualContentAs(calm.resolve("ranks.txt"));
            assertThat(sortedParts(disturbed)).isEqualTo(sortedParts(calm)).isNotEmpty();
            assertThat(client.results().list(id)).isEmpty();
            assertThat(files(folder.resolve("home"))).containsExactly("s.json");

            Files.writeString(script, FAILING);
            assertThat(submit(cluster, script, "failed")).isEqualTo(ExitCode.JOB_FAILED);
            assertThat(files(folder.resolve("failed"))).isEmpty();
        }
    }

    private ExitCode submit(RealCluster cluster, Path script, String into) {
        return command(
                cluster, "submit", script.toString(), "--fetch", folder.resolve(into).toString());
    }

    private ExitCode command(RealCluster cluster, String... words) {
        ClusterLine.Finder finder = (line, terminal) -> cluster.client();
        Commands commands =
                new Commands(List.of(new SubmitCommand(finder), new ReportCommand(finder)));
        return commands.run(words, new Screen().terminal(folder), new Interruption());
    }

    private static List<String> sortedParts(Path results) throws IOException {
        try (Stream<Path> parts = Files.list(results.resolve("out"))) {
            return parts.filter(part -> part.getFileName().toString().contains(".part-"))
                    .flatMap(FetchProcessTest::lines)
                    .sorted()
                    .toList();
        }
    }

    private static Stream<String> lines(Path part) {
        try {
            return Files.readAllLines(part).stream();
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static List<String> files(Path some) throws IOException {
        try (Stream<Path> all = Files.list(some)) {
            return all.map(file -> file.getFileName().toString()).toList();
        }
    }
}
