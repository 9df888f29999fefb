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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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

    private void assertAnswer(Screen screen) {
        Map<?, ?> report = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
        List<?> tasks = (List<?>) Objects.requireNonNull(report.get("tasks"));
        Map<?, ?> result = (Map<?, ?>) ((Map<?, ?>) tasks.getFirst()).get("result");
        assertThat(result).isNotNull();
        assertThat(result.get("states")).isEqualTo(RingJar.sum(100));
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
