package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.script.JsonText;

/** The commands {@code inspect} and {@code convert}, and loading tables from several files. */
final class FilesCommandTest {
    private static final String TRADES = "from,to,since,amount\n1,2,1999,0.5\n2,3,2004,2\n";

    @TempDir Path folder;

    private final Screen screen = new Screen();

    @Test
    void saysWhatAFileIsAsText() throws IOException {
        Files.writeString(folder.resolve("trades.csv"), TRADES);

        assertThat(run("inspect", "trades.csv")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .contains("edgelist")
                .contains("from:int, to:int, since:int, amount:double")
                .contains("  1,2,1999,0.5\n")
                .contains("\"source\": \"from\", \"target\": \"to\"");
    }

    @Test
    void showsNothingOfAFileThatChangesTheTerminal() throws IOException {
        Files.writeString(folder.resolve("a.csv"), "\u001b[31mfrom,to\nx\u001b[2J,1\ny,2\n");

        assertThat(run("inspect", "a.csv")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .contains(".[31mfrom:string, to:int")
                .contains("  x.[2J,1\n")
                .doesNotContain("\u001b");
    }

    @Test
    void saysWhatAFileIsAsJson() throws IOException {
        Files.writeString(folder.resolve("trades.csv"), TRADES);

        assertThat(run("inspect", "trades.csv", "--source", "from", "--target", "to", "--json"))
                .isEqualTo(ExitCode.DONE);

        assertThat(JsonText.parse(screen.out()))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("format", "edgelist")
                .containsEntry("compression", "none")
                .containsEntry("rowsEstimated", false)
                .containsEntry("vertices", 3L)
                .containsEntry(
                        "columns",
                        List.of(
                                Map.of("name", "from", "type", "id"),
                                Map.of("name", "to", "type", "id"),
                                Map.of("name", "since", "type", "int"),
                                Map.of("name", "amount", "type", "double")))
                .containsKeys("rows", "graphBytes");
    }

    @Test
    void convertsAndSaysWhatItLeftOut() throws IOException {
        Files.writeString(folder.resolve("trades.csv"), TRADES);

        ExitCode done =
                run(
                        "convert",
                        "trades.csv",
                        "trades.mtx.gz",
                        "--source",
                        "from",
                        "--target",
                        "to",
                        "--weight",
                        "amount",
                        "--directed");
        assertThat(screen.err()).doesNotContain("starling:");
        assertThat(done).isEqualTo(ExitCode.DONE);
        assertThat(screen.out()).contains("mtx").contains("[\"since\"]");

        assertThat(run("convert", "trades.mtx.gz", "back.tsv")).isEqualTo(ExitCode.DONE);

        assertThat(folder.resolve("back.tsv")).hasContent("1\t2\t0.5\n2\t3\t2\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inspect none.csv | 3 | there is no file",
                "inspect | 2 | inspect needs one file, found 0",
                "convert a.el | 2 | convert needs two files, IN and OUT, found 1",
                "convert a.el b | 3 | does not tell a format",
                "convert a.el b.mtx --directed --undirected | 2 | exclude each other",
                "convert a.el b.graph --directed | 3 | edges of METIS have no direction",
                "convert a.el b.csv --from mtx | 3 | a.el:1: expected the banner",
                "convert a.el b.csv --to xml | 3 | expected one of auto, edgelist"
            })
    void refusesInOneSentence(String line, int code, String said) throws IOException {
        Files.writeString(folder.resolve("a.el"), "1 2\n");

        assertThat(run(line.split(" ", -1)).number()).isEqualTo(code);

        assertThat(screen.err()).contains(said);
        assertThat(folder.toFile().list()).containsExactly("a.el");
    }

    @Test
    void loadsATableFromPackedPartsWithoutTheirBadLines() throws IOException {
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Files.writeString(parts.resolve("a.csv"), TRADES);
        Files.writeString(parts.resolve("b.csv"), "from,to,since,amount\n3,4,x,1\n4,1,2020,3\n");
        Files.writeString(
                folder.resolve("load.json"),
                """
                {"tasks": [
                  {"task": "graph.load", "as": "trades", "graph": "g", "edges": "parts/*.csv",
                   "source": "from", "target": "to", "weight": "amount",
                   "columns": {"since": "int"}, "badLines": "skip", "directed": true},
                  {"task": "graph.sssp", "graph": "g", "source": 1, "as": "paths"},
                  {"task": "graph.write", "graph": "g", "state": "distance", "file": "d.txt"}
                ]}
                """);

        ExitCode done = run("run", "load.json", "--json", "--peers", "2");

        assertThat(screen.err()).doesNotContain("starling:");
        assertThat(done).isEqualTo(ExitCode.DONE);
        assertThat(screen.out())
                .contains("\"skippedLines\": 1")
                .contains("b.csv:2: expected a whole number of 32 bits for \\\"since\\\"");
        assertThat(Files.readAllLines(folder.resolve("d.txt"))).hasSize(4).contains("3 2.5");
    }

    private ExitCode run(String... words) {
        return Commands.all()
                .run(words, screen.terminal(folder.toAbsolutePath()), new Interruption());
    }
}
