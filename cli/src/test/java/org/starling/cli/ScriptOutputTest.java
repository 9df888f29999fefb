package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.InvalidInputException;

/** {@code run --output} on a cluster of this process, and {@code submit --output} without one. */
final class ScriptOutputTest {
    private static final String LOAD =
            "{\"task\": \"graph.load\", \"graph\": \"${g}\", \"file\": \"a.el\"}";

    @TempDir Path folder;

    private final FakeService service = new FakeService();
    private final Screen screen = new Screen();

    @Test
    void writesWhatTheLastTaskLeavesBesideIds() throws IOException {
        write(
                LOAD,
                "{\"task\": \"graph.pagerank\", \"graph\": \"${g}\"}",
                "{\"task\": \"graph.bfs\", \"graph\": \"${g}\", \"source\": 1, \"as\": \"b\"}",
                "{\"if\": \"b.reached > 1\", \"then\": [{\"task\": \"graph.wcc\", \"graph\": \"${g}\"}]}",
                "{\"task\": \"graph.info\", \"graph\": \"${g}\"}");

        assertThat(run("run", "s.json", "--output", "levels.csv")).isEqualTo(ExitCode.DONE);

        assertThat(folder.resolve("levels.csv"))
                .hasContent("id,level,parent\n1,0,1\n2,1,1\n3,2,2\n7,-1,\n8,-1,\n");
        assertThat(screen.out()).contains("graph.write").contains("levels.csv");
    }

    @ParameterizedTest
    @CsvSource({
        "tsv, id\tdistance",
        "jsonl, {\"id\":1;\"distance\":0.0}",
        "parquet, PAR1",
        "arrow, ARROW1",
        "csv.gz, '\u001f\u008b'"
    })
    void writesEachFormatByItsEnding(String ending, String begins) throws IOException {
        write(LOAD, "{\"task\": \"graph.sssp\", \"graph\": \"${g}\", \"source\": 1}");

        assertThat(run("run", "s.json", "--output", "t." + ending)).isEqualTo(ExitCode.DONE);

        byte[] bytes = Files.readAllBytes(folder.resolve("t." + ending));
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
                .startsWith(begins.replace(';', ','));
    }

    @Test
    void takesTheStateThatTheScriptNames() throws IOException {
        write(
                LOAD,
                "{\"task\": \"graph.cdlp\", \"graph\": \"${g}\", \"state\": \"club\", \"iterations\": 2}",
                "{\"task\": \"graph.generate\", \"graph\": \"h\", \"generator\": \"grid\", \"scale\": 4}",
                "{\"task\": \"graph.wcc\", \"graph\": \"h\"}",
                "{\"task\": \"graph.drop\", \"graph\": \"h\"}");

        assertThat(run("run", "s.json", "--output", "clubs.csv", "--json"))
                .isEqualTo(ExitCode.DONE);

        assertThat(Files.readAllLines(folder.resolve("clubs.csv"))).first().isEqualTo("id,club");
        Map<?, ?> report = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
        Map<?, ?> last =
                (Map<?, ?>) ((List<?>) Objects.requireNonNull(report.get("tasks"))).getLast();
        assertThat(last.get("result"))
                .isEqualTo(Map.of("file", folder.resolve("clubs.csv").toString(), "rows", 5L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "graph.info | t.csv | --output: no task of the script, outside of blocks, leaves a state",
                "graph.drop | t.csv | --output: no task of the script, outside of blocks, leaves a state",
                "graph.wcc | t.xls | --output: the name t.xls does not tell a format; end it in .csv",
                "graph.wcc | none/t.csv | --output: the folder of",
                "graph.wcc | folder.csv | is a folder, not a file",
                "graph.wcc | ../t.csv | or allow its folder: run --allow",
                "graph.wcx | t.csv | unknown task \"graph.wcx\"",
            })
    void refusesInOneSentenceBeforeTheJobBegins(String task, String output, String said)
            throws IOException {
        Files.createDirectories(folder.resolve("inner/folder.csv"));
        writeIn(
                folder.resolve("inner"),
                LOAD,
                "{\"task\": \"%s\", \"graph\": \"${g}\"}".formatted(task));

        ExitCode code =
                Commands.all()
                        .run(
                                new String[] {"run", "s.json", "--output", output},
                                screen.terminal(folder.resolve("inner")),
                                new Interruption());

        assertThat(code).as(screen.err()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(screen.err()).contains(said).doesNotContain("starting 1 peer");
        assertThat(folder.toFile().list()).containsExactly("inner");
        assertThat(folder.resolve("inner").toFile().list())
                .containsExactlyInAnyOrder("s.json", "a.el", "folder.csv");
    }

    @Test
    void doesNotGuessWhatAProgramOfAJarLeaves() {
        String script =
                """
                {"tasks": [{"task": "graph.wcc", "graph": "g"},
                           {"task": "graph.run", "graph": "g", "program": "p"}]}
                """;

        assertThatThrownBy(() ->
                        ScriptOutput.checked(
                                script, "t.csv", TaskCatalog.onClassPath(), text -> text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("--output: what graph.run leaves is not known");
    }

    @ParameterizedTest
    @CsvSource({
        "graph.betweenness, betweenness",
        "graph.bfs, level;parent",
        "graph.cdlp, community",
        "graph.kcore, core",
        "graph.lcc, clustering",
        "graph.maximumClique, maximumClique",
        "graph.pagerank, pagerank",
        "graph.scc, component",
        "graph.sssp, distance",
        "graph.triangles, triangles;clustering",
        "graph.wcc, component",
        "example.friendship, friendsOfFriends",
        "roads.farthest, distance"
    })
    void knowsWhatTasksLeaveByTheirDescriptions(String task, String columns) {
        String script = "{\"tasks\": [{\"task\": \"%s\", \"graph\": \"g\"}]}".formatted(task);

        String changed =
                ScriptOutput.checked(script, "t.csv", TaskCatalog.onClassPath(), text -> text);

        List<?> steps =
                (List<?>)
                        Objects.requireNonNull(
                                ((Map<?, ?>) Objects.requireNonNull(JsonText.parse(changed)))
                                        .get("tasks"));
        assertThat(((Map<?, ?>) steps.getLast()).get("columns"))
                .isEqualTo(List.of(columns.split(";", -1)));
    }

    @Test
    void fetchesTheTableOfASubmittedScript() throws IOException {
        write(LOAD, "{\"task\": \"graph.pagerank\", \"graph\": \"${g}\"}");
        service.afterSubmit(id ->
                service.end(
                        id,
                        Status.SUCCEEDED,
                        "{\"script\": \"s\", \"status\": \"succeeded\", \"tasks\": []}"));
        service.results().put("ranks.csv", "id,pagerank\n".getBytes(StandardCharsets.UTF_8));
        Files.createDirectory(folder.resolve("out"));

        assertThat(submit("--output", "out/ranks.csv")).isEqualTo(ExitCode.DONE);

        JobRequest asked = service.requests().getFirst();
        assertThat(asked.fetch()).isTrue();
        assertThat(asked.script())
                .contains(
                        "{\"task\": \"graph.write\", \"graph\": \"${g}\", \"columns\": [\"pagerank\"], \"file\": \"ranks.csv\"}");
        assertThat(folder.resolve("out/ranks.csv")).hasContent("id,pagerank\n");
        assertThat(submit("--output", "out/ranks.csv")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(screen.err()).contains("ranks.csv is there already; name another file");
        assertThat(service.requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "--output none/r.csv, 3, there is no folder",
        "--output .r.csv, 3, begins with a dot",
        "--output r.csv --detach, 2, give one of them",
        "--output r.csv --fetch out, 2, give one of them",
        "--output r.xls, 3, does not tell a format"
    })
    void refusesWhatCanNotBeFetched(String options, int code, String said) throws IOException {
        write(LOAD, "{\"task\": \"graph.pagerank\", \"graph\": \"${g}\"}");

        assertThat(submit(options.split(" ", -1)).number()).isEqualTo(code);

        assertThat(screen.err()).contains(said);
        assertThat(service.requests()).isEmpty();
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("a.el", "s.json");
    }

    private void write(String... steps) throws IOException {
        writeIn(folder, steps);
    }

    private static void writeIn(Path target, String... steps) throws IOException {
        Files.writeString(target.resolve("a.el"), "1 2\n2 3\n7 8\n");
        Files.writeString(
                target.resolve("s.json"),
                "{\"parameters\": {\"g\": \"net\"}, \"tasks\": [%s]}"
                        .formatted(String.join(",", steps)));
    }

    private ExitCode run(String... words) {
        return Commands.all().run(words, screen.terminal(folder), new Interruption());
    }

    private ExitCode submit(String... options) {
        String[] words = new String[options.length + 2];
        words[0] = "submit";
        words[1] = "s.json";
        System.arraycopy(options, 0, words, 2, options.length);
        return new Commands(List.of(new SubmitCommand((line, terminal) -> service)))
                .run(words, screen.terminal(folder), new Interruption());
    }
}
