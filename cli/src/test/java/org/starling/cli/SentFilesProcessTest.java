package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of somebody whose folder no process of the cluster may use, and results back into it. */
@Tag("slow")
@Timeout(240)
final class SentFilesProcessTest {
    private static final String SCRIPT =
            """
            {"name": "sent", "tasks": [
              {"task": "graph.load", "graph": "ring", "file": "data/edges.txt"},
              {"task": "graph.pagerank", "graph": "ring", "iterations": 3},
              {"task": "graph.write", "graph": "ring", "state": "pagerank", "file": "ranks.txt"}]}
            """;

    private static final int VERTICES = 50_000;

    @TempDir Path shared;
    @TempDir Path home;

    @Test
    void areReadByAllPeersAndAreGoneWithTheJob() throws IOException {
        Files.writeString(home.resolve("s.json"), SCRIPT);
        Path edges = Files.createDirectory(home.resolve("data")).resolve("edges.txt");
        Files.writeString(
                edges,
                IntStream.range(0, VERTICES)
                        .mapToObj(v -> v + " " + (v + 1) % VERTICES + "\n")
                        .collect(Collectors.joining()));
        try (RealCluster cluster = RealCluster.start(shared, 1, 3)) {
            Screen without = new Screen();
            assertThat(submit(cluster, without, "s.json", "--fetch", "out"))
                    .isEqualTo(ExitCode.BAD_INPUT);
            assertThat(without.err()).contains("lies outside the folders");

            Screen screen = new Screen();
            ExitCode code =
                    submit(cluster, screen, "s.json", "--send", "data/edges.txt", "--fetch", "out");

            assertThat(code).as(screen.err()).isEqualTo(ExitCode.DONE);
            assertThat(screen.err()).contains("edges.txt: ");
            assertThat(Files.readAllLines(home.resolve("out/ranks.txt"))).hasSize(VERTICES);
            try (Stream<Path> left = Files.list(shared.resolve(".starling/uploads"))) {
                assertThat(left).isEmpty();
            }
        }
    }

    private ExitCode submit(RealCluster cluster, Screen screen, String... words) {
        ClusterLine.Finder finder = (line, terminal) -> cluster.client();
        Commands commands = new Commands(List.of(new SubmitCommand(finder)));
        return commands.run(
                Stream.concat(Stream.of("submit"), Stream.of(words)).toArray(String[]::new),
                screen.terminal(home),
                new Interruption());
    }
}
