package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.script.JsonText;

/** Scripts on graphs whose ids are texts, as people run them. */
@Timeout(60)
final class TextIdsCommandTest {
    @TempDir Path folder;

    private final Screen screen = new Screen();

    /** Two triangles that share Ada, with a tail, and two people beside them. */
    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(
                folder.resolve("knows.csv"),
                """
                source,target,since:int
                Ada,"Babbage, Charles",1833
                "Babbage, Charles",007,1834
                007,Ada,1835
                Ada,caf\u00E9,1836
                caf\u00E9,cafe\u0301,1837
                cafe\u0301,Ada,1838
                cafe\u0301,7,1839
                "a ""b\""",\uD83D\uDE00,1840
                """);
        Files.writeString(
                folder.resolve("people.csv"),
                "id,age:int\nAda,36\n\"Babbage, Charles\",79\n007,40\ncaf\u00E9,5\n7,8\n");
        Files.writeString(folder.resolve("labels"), "Ada x\n007 x\n\"Babbage, Charles\" x\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void takesAndGivesTexts(int peers) throws IOException {
        String script =
                """
                {"tasks": [
                  {"task": "graph.load", "graph": "g", "file": "knows.csv", "vertices": "people.csv", "ids": "text"},
                  {"task": "graph.bfs", "graph": "g", "source": "7", "verify": true, "as": "search"},
                  {"task": "graph.write", "graph": "g", "state": "parent", "file": "parent"},
                  {"task": "graph.sssp", "graph": "g", "source": "a \\"b\\""},
                  {"task": "graph.pagerank", "graph": "g", "top": 2, "as": "ranks"},
                  {"task": "graph.betweenness", "graph": "g", "sources": ["007", "Babbage, Charles"], "top": 1},
                  {"task": "graph.wcc", "graph": "g"},
                  {"task": "graph.write", "graph": "g", "state": "component", "file": "component"},
                  {"task": "graph.cdlp", "graph": "g", "iterations": 3, "verify": true},
                  {"task": "graph.write", "graph": "g", "state": "community", "file": "community"},
                  {"task": "graph.cliques", "graph": "g", "minimumSize": 3, "file": "cliques"},
                  {"task": "graph.maximumClique", "graph": "g", "verify": true},
                  {"task": "graph.walk", "graph": "g", "length": 2, "file": "walks", "verify": true},
                  {"task": "graph.neighbours", "graph": "g", "id": "${ranks.top[0][0]}"},
                  {"task": "graph.value", "graph": "g", "column": "parent", "id": "007"},
                  {"task": "graph.value", "graph": "g", "column": "community", "id": "007"},
                  {"task": "graph.path", "graph": "g", "from": "7", "to": "Babbage, Charles"},
                  {"task": "graph.project", "graph": "g", "vertices": "age > 7 and id != '7'", "as": "old"},
                  {"task": "graph.bfs", "graph": "old", "source": "007"},
                  {"task": "graph.commonSubstructure", "graphs": ["old", "old"], "labels": ["labels", "labels"], "verify": true},
                  {"task": "graph.join", "graph": "old", "from": "g", "column": "age", "as": "years"},
                  {"task": "graph.write", "graph": "old", "state": "years", "file": "years"}]}
                """;

        assertThat(run(script, peers)).as(screen.err()).isEqualTo(ExitCode.DONE);

        List<Map<?, ?>> results = results();
        assertThat(results.get(1).get("source")).isEqualTo("7");
        assertThat(results.get(1).get("reached")).isEqualTo(6L);
        assertThat(lines("parent"))
                .containsExactly(
                        "007 Ada",
                        "7 7",
                        "Ada cafe\u0301",
                        "\"Babbage, Charles\" Ada",
                        "\"a \"\"b\"\"\" -1",
                        "cafe\u0301 7",
                        "caf\u00E9 cafe\u0301",
                        "\uD83D\uDE00 -1");
        assertThat(results.get(3).get("source")).isEqualTo("a \"b\"");
        assertThat(first(results.get(4))).isEqualTo("Ada");
        assertThat(first(results.get(5))).isEqualTo("Ada");
        assertThat(lines("component")).contains("\uD83D\uDE00 \"a \"\"b\"\"\"").hasSize(8);
        assertThat(lines("community"))
                .hasSize(8)
                .allSatisfy(line -> assertThat(line).doesNotMatch(".* \\d"));
        assertThat(lines("cliques"))
                .containsExactlyInAnyOrder(
                        "007 Ada \"Babbage, Charles\"", "Ada cafe\u0301 caf\u00E9");
        assertThat(texts(results.get(11).get("members"))).hasSize(3).contains("Ada");
        assertThat(lines("walks")).hasSize(8).allSatisfy(line -> assertThat(line).contains(" "));
        assertThat(texts(results.get(13).get("neighbours")))
                .containsExactlyInAnyOrder("Babbage, Charles", "007", "caf\u00E9", "cafe\u0301");
        assertThat(results.get(14).get("value")).isEqualTo("Ada");
        assertThat(results.get(15).get("value")).isInstanceOf(String.class);
        assertThat(results.get(16).get("path"))
                .isEqualTo(List.of("7", "cafe\u0301", "Ada", "Babbage, Charles"));
        assertThat(results.get(18).get("reached")).isEqualTo(3L);
        assertThat(results.get(19).get("size")).isEqualTo(3L);
        assertThat(String.valueOf(results.get(19).get("pairs")))
                .contains("Babbage, Charles")
                .contains("[007, ");
        assertThat(lines("years")).containsExactly("007 40", "Ada 36", "\"Babbage, Charles\" 79");
    }

    @Test
    void givesTheSameOnAnyNumberOfPeers() throws IOException {
        String script =
                """
                {"tasks": [
                  {"task": "graph.load", "graph": "g", "file": "knows.csv", "ids": "text"},
                  {"task": "graph.bfs", "graph": "g", "source": "7"},
                  {"task": "graph.write", "graph": "g", "state": "parent", "file": "parent"},
                  {"task": "graph.wcc", "graph": "g"},
                  {"task": "graph.write", "graph": "g", "state": "component", "file": "component"},
                  {"task": "graph.cdlp", "graph": "g", "iterations": 4},
                  {"task": "graph.write", "graph": "g", "state": "community", "file": "community"}]}
                """;
        List<List<String>> files = new ArrayList<>();
        for (int peers : new int[] {1, 2, 4}) {
            assertThat(run(script, peers)).isEqualTo(ExitCode.DONE);
            List<String> all = new ArrayList<>(lines("community"));
            all.addAll(lines("parent"));
            all.addAll(lines("component"));
            files.add(all);
        }

        assertThat(files.get(1)).isEqualTo(files.get(0));
        assertThat(files.get(2)).isEqualTo(files.get(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"text\" | 7 | \"source\": the ids of graph \"g\" are texts; write the id in quotation marks, as \"7\"",
                "\"text\" | \"Bob\" | \"source\": graph \"g\" has no vertex \"Bob\"; take an id that stands in its file",
                "\"text\" | \"07\" | \"source\": graph \"g\" has no vertex \"07\"",
                "\"number\" | \"Bob\" | expected an id, a whole number from 0 to 2^64 - 1, found \"Bob\"",
                "\"number\" | 7 | expected",
                "\"words\" | 7 | expected one of number, text, found \"words\""
            })
    void refusesWhatMakesNoSense(String ids, String source, String sentence) throws IOException {
        String script =
                """
                {"tasks": [
                  {"task": "graph.load", "graph": "g", "file": "knows.csv", "ids": %s},
                  {"task": "graph.bfs", "graph": "g", "source": %s}]}
                """
                        .formatted(ids, source);

        assertThat(run(script, 1)).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains(sentence);
    }

    @Test
    void refusesTextsInFilesOfNumbers() throws IOException {
        Files.writeString(folder.resolve("small.graph"), "2 1\n2\n1\n");
        String script =
                """
                {"tasks": [{"task": "graph.load", "graph": "g", "file": "small.graph", "format": "metis", "ids": "text"}]}
                """;

        assertThat(run(script, 1)).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err())
                .contains(
                        "ids are texts in tables, edge lists and triples alone, and small.graph is metis");
    }

    private static Object first(Map<?, ?> result) {
        return Objects.requireNonNull(
                ((List<?>) ((List<?>) Objects.requireNonNull(result.get("top"))).getFirst())
                        .getFirst());
    }

    private static List<String> texts(@Nullable Object list) {
        List<String> texts = new ArrayList<>();
        for (Object one : (List<?>) Objects.requireNonNull(list)) {
            texts.add((String) Objects.requireNonNull(one));
        }
        return texts;
    }

    private List<Map<?, ?>> results() {
        Map<?, ?> report = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
        List<Map<?, ?>> results = new ArrayList<>();
        for (Object task : (List<?>) Objects.requireNonNull(report.get("tasks"))) {
            Object result = ((Map<?, ?>) Objects.requireNonNull(task)).get("result");
            results.add(result instanceof Map<?, ?> map ? map : Map.of());
        }
        return results;
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(folder.resolve(file));
    }

    private ExitCode run(String script, int peers) throws IOException {
        Files.writeString(folder.resolve("s.json"), script);
        return Commands.all()
                .run(
                        new String[] {"run", "s.json", "--json", "--peers", String.valueOf(peers)},
                        screen.terminal(folder),
                        new Interruption());
    }
}
