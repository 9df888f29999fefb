package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.JobView.Status;

/**
 * A kept graph whose ids are texts in a cluster of real processes: asked for from the command line,
 * there after a cold start, and the same when a slave and the master are lost in the middle of a
 * job.
 */
@Tag("slow")
@Timeout(300)
final class TextIdsProcessTest {
    private static final int PEOPLE = 3_000;

    private static final String LOAD =
            """
            {"name": "load", "tasks": [
              {"task": "graph.load", "graph": "people", "file": "knows.csv", "ids": "text", "keep": true},
              {"task": "graph.wcc", "graph": "people"},
              {"task": "graph.publish", "graph": "people", "state": "component", "as": "part"},
              {"task": "graph.bfs", "graph": "people", "source": "https://p.example/0 \u00E9"},
              {"task": "graph.write", "graph": "people", "state": "parent", "file": "parent-0.txt"}]}
            """;

    private static final String USE =
            """
            {"name": "use", "tasks": [
              {"task": "graph.pagerank", "graph": "people", "iterations": 30},
              {"task": "graph.bfs", "graph": "people", "source": "https://p.example/0 \u00E9"},
              {"task": "graph.write", "graph": "people", "state": "parent", "file": "parent-%1$d.txt"}]}
            """;

    @TempDir Path folder;

    @Test
    void staysThroughAColdStartAndLosses() throws Exception {
        StringBuilder text = new StringBuilder("source,target\n");
        for (int i = 0; i < PEOPLE; i++) {
            text.append(id(i)).append(',').append(id(i * 7 % PEOPLE)).append('\n');
            text.append(id(i)).append(',').append(id((i + 1) % PEOPLE)).append('\n');
        }
        Files.writeString(folder.resolve("knows.csv"), text);
        try (RealCluster cluster = RealCluster.start(folder, 1, 5)) {
            cluster.awaitEnd(cluster.submit(LOAD), Status.SUCCEEDED);
            Path parents = folder.resolve("parent-0.txt");
            assertThat(Files.readAllLines(parents)).hasSize(PEOPLE);

            cluster.processes().stop();
            cluster.startAgain();

            assertThat(asked(cluster, "neighbours", id(5))).contains(id(6), id(4), id(35));
            assertThat(asked(cluster, "value", "part", id(5)))
                    .isEqualTo(asked(cluster, "value", "part", id(2_000)))
                    .singleElement()
                    .satisfies(part -> assertThat(part).startsWith("https://p.example/"));
            assertThat(asked(cluster, "path", id(1), id(3))).hasSizeBetween(2, 3);
            assertThat(asked(cluster, "neighbours", "nobody"))
                    .singleElement()
                    .satisfies(one -> assertThat(one).contains("has no vertex \"nobody\""));

            cluster.awaitEnd(cluster.submit(USE.formatted(1)), Status.SUCCEEDED);
            assertThat(folder.resolve("parent-1.txt")).hasSameTextualContentAs(parents);
            goesOnWithoutASlaveAndTheMaster(cluster);
            assertThat(folder.resolve("parent-2.txt")).hasSameTextualContentAs(parents);
        }
    }

    private static void goesOnWithoutASlaveAndTheMaster(RealCluster cluster) throws IOException {
        long id = cluster.submit(USE.formatted(2));
        cluster.await(() -> cluster.client().graph("people").orElseThrow().jobs().contains(id));
        cluster.processes().kill(cluster.slave().name());
        int master = cluster.client().status().master();
        cluster.processes().kill(cluster.process(master).name());

        Map<?, ?> report = cluster.awaitEnd(id, Status.SUCCEEDED);

        assertThat((Long) Objects.requireNonNull(report.get("recoveries"))).isPositive();
    }

    private static String id(int person) {
        return "https://p.example/" + person + " \u00E9";
    }

    /** Lines of what the command says, wherever it says them. */
    private List<String> asked(RealCluster cluster, String verb, String... words) {
        String[] line = new String[words.length + 3];
        line[0] = "query";
        line[1] = "people";
        line[2] = verb;
        System.arraycopy(words, 0, line, 3, words.length);
        Screen screen = new Screen();
        ExitCode code =
                new Commands(List.of(new QueryCommand((_, _) -> cluster.client())))
                        .run(line, screen.terminal(folder), new Interruption());
        return (code == ExitCode.DONE ? screen.out() : screen.err()).lines().toList();
    }
}
