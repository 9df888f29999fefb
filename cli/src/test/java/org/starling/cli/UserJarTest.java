package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.script.JsonText;

/** Scripts with jars on embedded clusters, through the command. */
@Timeout(60)
final class UserJarTest {
    @TempDir Path folder;

    @BeforeEach
    void write() throws IOException {
        RingJar.build(folder.resolve("ring.jar"), "");
        Files.writeString(folder.resolve("s.json"), RingJar.script(100));
    }

    @Test
    void runsTaskProgramAndSourceOfAJarInThisProcess() {
        Screen screen = run("--peers", "3");

        assertAnswer(screen);
    }

    @Tag("thorough")
    @Test
    void runsThemInProcesses() {
        Screen screen = run("--peers", "2", "--processes");

        assertAnswer(screen);
    }

    @Test
    void listsTheTasksOfAJarBesideThoseThatAreBuiltIn() {
        Screen list = screen("tasks", "--jar", "ring.jar");
        Screen schema = screen("tasks", "--schema", "--jar", "ring.jar");

        assertThat(list.out())
                .contains("graph.bfs")
                .contains("my.distances")
                .contains("Distances on a ring from vertex 0.");
        assertThat(schema.out()).contains("my.distances").contains("pauseMillis");
        assertThat(screen("tasks").out()).doesNotContain("my.distances");
    }

    @Test
    void namesSourceAndProgramOfAJarInAScript() throws IOException {
        write(
                """
                {"parameters": {"size": 100}, "tasks": [
                  {"task": "graph.build", "as": "made", "graph": "g", "source": "my.ring",
                   "with": {"vertices": "${size}"}},
                  {"task": "graph.run", "as": "run", "graph": "g", "program": "my.distances",
                   "with": {"pauseMillis": "${made.skippedDuplicates}"}},
                  {"task": "graph.write", "graph": "g", "state": "distance", "file": "d.txt"}]}
                """);

        Screen screen = run("--peers", "2");

        Map<?, ?> made = result(screen, 0);
        assertThat(made.get("vertices")).isEqualTo(100L);
        Map<?, ?> ran = result(screen, 1);
        assertThat(ran.get("supersteps")).isEqualTo(52L);
        assertThat(ran.get("states")).isEqualTo(List.of("distance"));
        assertThat(ran.get("aggregates")).isEqualTo(Map.of("sum", 0L));
        assertThat(Files.readAllLines(folder.resolve("d.txt"))).contains("50 50", "99 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'source': 'my.rings', 'with': {} | an edge source \"my.rings\", but my.ring",
                "'source': 'edgelist', 'with': {'file': '/etc/passwd'} | no jar of this job brings an edge source",
                "'source': 'my.ring', 'with': {'vertices': {}} | \"vertices\" must be a text",
                "'source': 'my.ring', 'with': {'vertices': null} | \"vertices\" must be a text",
                "'source': 'my.ring', 'incoming': false | graph \"g\" is undirected",
                "'source': 'my.ring', 'with': [] | expected an object of named values",
                "'source': 'my.ring', 'with': {'vertices': '${no.such}'} | $.tasks[0].with.vertices"
            })
    void refusesSourcesAndValuesThatNoJarTakes(String arguments, String sentence)
            throws IOException {
        write(
                ("{'tasks': [{'task': 'graph.build', 'graph': 'g', " + arguments + "}]}")
                        .replace('\'', '"'));

        assertThat(refused("--jar", "ring.jar")).contains(sentence);
    }

    @Test
    void saysThatAJarIsMissing() throws IOException {
        write(
                """
                {"tasks": [{"task": "graph.build", "graph": "g", "source": "my.ring"},
                  {"task": "graph.run", "graph": "g", "program": "my.distances"}]}
                """);

        assertThat(refused())
                .contains("no jar of this job brings an edge source")
                .contains("no jar of this job brings a program");
    }

    private void write(String script) throws IOException {
        Files.writeString(folder.resolve("s.json"), script);
    }

    private String refused(String... more) {
        List<String> words = new ArrayList<>(List.of("run", "s.json"));
        words.addAll(List.of(more));
        Screen screen = new Screen();
        ExitCode code =
                Commands.all()
                        .run(
                                words.toArray(String[]::new),
                                screen.terminal(folder),
                                new Interruption());
        assertThat(code).as(screen.out()).isEqualTo(ExitCode.BAD_INPUT);
        return screen.err();
    }

    private static Map<?, ?> result(Screen screen, int task) {
        Map<?, ?> report = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
        List<?> tasks = (List<?>) Objects.requireNonNull(report.get("tasks"));
        return (Map<?, ?>) Objects.requireNonNull(((Map<?, ?>) tasks.get(task)).get("result"));
    }

    private void assertAnswer(Screen screen) {
        assertThat(result(screen, 0).get("states")).isEqualTo(RingJar.sum(100));
        Map<?, ?> report = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
        assertThat((List<?>) report.get("jars")).hasSize(1);
    }

    private Screen run(String... more) {
        List<String> words = new ArrayList<>(List.of("run", "s.json", "--jar", "ring.jar"));
        words.addAll(List.of(more));
        words.add("--json");
        return screen(words.toArray(String[]::new));
    }

    private Screen screen(String... words) {
        Screen screen = new Screen();
        ExitCode code = Commands.all().run(words, screen.terminal(folder), new Interruption());
        assertThat(code).as(screen.err()).isEqualTo(ExitCode.DONE);
        return screen;
    }
}
