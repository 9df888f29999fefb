package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.script.JsonText;

/** {@code run --explain} on a cluster of this process. */
final class ExplainCommandTest {
    @TempDir Path folder;

    private final Screen screen = new Screen();

    @BeforeEach
    void writeScript() throws IOException {
        Files.writeString(
                folder.resolve("s.json"),
                """
                {"tasks": [
                  {"task": "graph.generate", "graph": "g", "generator": "grid", "scale": 12},
                  {"task": "graph.bfs", "graph": "g", "source": 0}]}
                """);
    }

    @Test
    void tellsEverySuperstepToPrograms() {
        assertThat(run("--explain", "--json")).isEqualTo(ExitCode.DONE);

        Map<?, ?> report = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
        List<?> tasks = (List<?>) Objects.requireNonNull(report.get("tasks"));
        assertThat(((Map<?, ?>) tasks.getFirst()).containsKey("runs")).isFalse();
        Map<?, ?> bfs = (Map<?, ?>) tasks.getLast();
        List<?> runs = (List<?>) Objects.requireNonNull(bfs.get("runs"));
        Map<?, ?> search = (Map<?, ?>) runs.getFirst();
        assertThat(search.get("program")).isEqualTo("algorithms.bfs");
        Map<?, ?> memory =
                (Map<?, ?>) ((List<?>) Objects.requireNonNull(search.get("memory"))).getFirst();
        assertThat(memory.get("node")).isEqualTo(1L);
        assertThat((Long) Objects.requireNonNull(memory.get("takenBytes")))
                .isPositive()
                .isLessThanOrEqualTo((Long) memory.get("expectedBytes"));
        List<?> history = (List<?>) Objects.requireNonNull(search.get("history"));
        assertThat(history).hasSize(128);
        long messages = 0;
        for (Object superstep : history) {
            messages += (Long) Objects.requireNonNull(((Map<?, ?>) superstep).get("messages"));
        }
        assertThat(bfs.get("messages")).isEqualTo(messages);
    }

    @Test
    void showsPeopleTheFirstAndTheLastSupersteps() {
        assertThat(run("--explain")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .containsPattern(
                        "algorithms.bfs on g: 128 supersteps in [0-9.]+ s, at most [0-9,]+ messages"
                                + " in one of [0-9,]+ expected\n"
                                + " +memory: node 1 took [0-9.]+ MiB of [0-9.]+ MiB expected; [0-9,.]+ MiB"
                                + " were available\n +superstep  direction  frontier ")
                .containsPattern("\n +0  +none  +1  +")
                .containsPattern("\n +19  +push ")
                .containsPattern("\n +…\n +108  ")
                .containsPattern("\n +127  ");
        assertThat(run()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void saysNothingOfThatUnlessAsked() {
        assertThat(run()).isEqualTo(ExitCode.DONE);

        assertThat(screen.out()).doesNotContain("algorithms.bfs", "superstep  direction");
    }

    private ExitCode run(String... options) {
        String[] words = new String[options.length + 2];
        words[0] = "run";
        words[1] = "s.json";
        System.arraycopy(options, 0, words, 2, options.length);
        return Commands.all().run(words, screen.terminal(folder), new Interruption());
    }
}
