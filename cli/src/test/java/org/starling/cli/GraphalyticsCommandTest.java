package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.script.JsonText;

/** The suite's own examples, run as people run them. */
final class GraphalyticsCommandTest {
    private static final String DIRECTED = "example-directed";

    @TempDir Path folder;

    private final Screen screen = new Screen();

    @BeforeEach
    void copyExamples() throws IOException {
        Path examples = examples();
        assumeTrue(Files.isDirectory(examples), "no examples at " + examples);
        try (var files = Files.list(examples)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(String.valueOf(file.getFileName())));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "example-directed,1",
        "example-directed,3",
        "example-undirected,1",
        "example-undirected,3"
    })
    void givesValidResultsForAllThatTheSuiteLists(String graph, int peers) throws Exception {
        runsAllExamples(graph, "--peers", Integer.toString(peers));
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "example-directed,1",
        "example-directed,3",
        "example-undirected,1",
        "example-undirected,3"
    })
    void givesValidResultsInProcessesOfTheirOwn(String graph, int peers) throws Exception {
        runsAllExamples(graph, "--processes", "--peers", Integer.toString(peers));
    }

    private void runsAllExamples(String graph, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of(graph, "--output", "made/here", "--json"));
        words.addAll(Arrays.asList(options));

        ExitCode code = run(words.toArray(String[]::new));

        assertThat(code).as(screen.err()).isEqualTo(ExitCode.DONE);
        Map<?, ?> tree = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
        assertThat(List.<Object>copyOf(tree.keySet())).containsExactly("graph", "algorithms");
        assertThat(tree.get("graph")).isEqualTo(graph);
        List<?> rows = (List<?>) Objects.requireNonNull(tree.get("algorithms"));
        assertThat(rows).hasSize(6);
        for (Object row : rows) {
            Map<?, ?> fields = (Map<?, ?>) row;
            assertThat(List.<Object>copyOf(fields.keySet()))
                    .containsExactly("algorithm", "seconds", "valid");
            assertThat(fields.get("valid")).as("%s", fields).isEqualTo(true);
            assertThat((Double) fields.get("seconds")).isPositive();
            String suffix =
                    String.valueOf(fields.get("algorithm")).toUpperCase(java.util.Locale.ROOT);
            assertThat(folder.resolve("made/here/" + graph + "-" + suffix)).isNotEmptyFile();
        }
        assertThat(Files.readAllLines(folder.resolve("made/here/" + graph + "-CDLP")))
                .isEqualTo(Files.readAllLines(folder.resolve(graph + "-CDLP")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    BFS | 4 2$       | 4 3 | bfs is wrong: vertex 4 has 2, but
                    CDLP | 10 1$     | 10 2 | cdlp is wrong: vertex 10 has 1, but
                    WCC | 7 1$       | 7 2 | wcc is wrong: vertex 7 has 1, but
                    PR | 1 1.4776    | 1 1.4779 | pr is wrong: vertex 1 has 0.1477
                    LCC | ^3 .*      | | lcc is wrong: %s: vertex 3 is missing
                    LCC | ^3 (.*)    | 3 $1\\n3 $1 | lcc is wrong: %s: vertex 3 stands there twice
                    """)
    void exitsWithFiveWhenAResultIsWrong(String suffix, String line, String forged, String sentence)
            throws IOException {
        Path reference = folder.resolve(DIRECTED + "-" + suffix);
        String text = Files.readString(reference);
        String changed =
                text.replaceFirst("(?m)" + line, forged == null ? "" : forged.replace("\\n", "\n"));
        assertThat(changed).isNotEqualTo(text);
        Files.writeString(reference, changed);
        String word = suffix.toLowerCase(java.util.Locale.ROOT);

        ExitCode code = run(DIRECTED, "--algorithms", "bfs,cdlp,lcc,pr,wcc", "--json");

        assertThat(code).isEqualTo(ExitCode.JOB_FAILED);
        assertThat(screen.err()).contains(sentence.formatted(reference));
        assertThat(screen.out().lines()).hasSize(1);
        Map<?, ?> tree = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
        for (Object row : (List<?>) Objects.requireNonNull(tree.get("algorithms"))) {
            Map<?, ?> fields = (Map<?, ?>) row;
            boolean valid = !word.equals(fields.get("algorithm"));
            assertThat(fields.get("valid")).as("%s", fields).isEqualTo(valid);
        }
    }

    @Test
    void saysThatNothingWasCheckedWithoutReferences() throws IOException {
        Files.delete(folder.resolve(DIRECTED + "-BFS"));

        assertThat(run(DIRECTED, "--algorithms", "bfs,wcc")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out().lines().map(line -> line.replaceAll(" +[0-9.]+ s", "")))
                .containsExactly("bfs  not checked: no reference", "wcc  valid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v", "e", "properties", "BFS"})
    void exitsWithThreeWhenAFileIsMissingOrBad(String suffix) throws IOException {
        Path file = folder.resolve(DIRECTED + (suffix.equals("BFS") ? "-" : ".") + suffix);
        Files.writeString(file, "1 0\n\n2 zwei drei\n");

        assertThat(run(DIRECTED, "--algorithms", "bfs", "--json")).isEqualTo(ExitCode.BAD_INPUT);

        int line = suffix.equals("v") || suffix.equals("properties") ? 1 : 3;
        assertThat(screen.err()).contains(file.getFileName() + ":" + line + ": expected");
        assertThat(screen.out()).startsWith("{\"status\": \"failed\", \"error\": ");
        if (!suffix.equals("BFS")) {
            Files.delete(file);
            assertThat(run(DIRECTED, "--algorithms", "bfs")).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(screen.err()).contains("there is no ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    example-directed --algorithms bfs,cdpl | unknown algorithm "cdpl"; did you mean "cdlp"?
                    example-directed --algorithms bfs,     | unknown algorithm ""
                    example-directed example-undirected    | needs one PREFIX, found 2
                    --peers 2                              | needs one PREFIX, found 0
                    example-directed --algoritms bfs       | did you mean --algorithms?
                    """)
    void exitsWithTwoWhenWordsAreWrong(String words, String sentence) {
        assertThat(run(words.split(" "))).isEqualTo(ExitCode.WRONG_USAGE);

        assertThat(screen.err()).contains(sentence);
        assertThat(screen.out()).isEmpty();
    }

    private ExitCode run(String... words) {
        List<String> all = new ArrayList<>(List.of("graphalytics"));
        all.addAll(Arrays.asList(words));
        return Commands.all()
                .run(all.toArray(String[]::new), screen.terminal(folder), new Interruption());
    }

    private static Path examples() {
        String shared = System.getenv("STARLING_SHARED");
        Path named = shared == null ? Checkout.root().resolveSibling("shared") : Path.of(shared);
        return named.resolve("graphalytics");
    }
}
