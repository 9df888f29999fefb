package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.script.JsonText;

/** The commands {@code inspect} and {@code convert}, and loading tables from several files. */
final class FilesCommandTest {
    private static final String TRADES = "from,to,since,amount\n1,2,1999,0.5\n2,3,2004,2\n";

    private static final String PIPED =
            "{\"tasks\": [{\"task\": \"graph.load\", \"graph\": \"g\", \"edges\": \"-\"}, {\"task\": \"graph.info\", \"graph\": \"g\"}]}";

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

    @Test
    void readsWhatIsPipedIntoIt() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("1 2\n2 3\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(piped(packed.toByteArray(), "convert", "-", "out.tsv")).isEqualTo(ExitCode.DONE);
        assertThat(folder.resolve("out.tsv")).hasContent("1\t2\n2\t3\n");

        assertThat(piped(packed.toByteArray(), "inspect", "-", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(screen.out()).contains("\"compression\": \"gzip\"");

        Path script = Files.writeString(folder.resolve("load.json"), PIPED);
        assertThat(piped(packed.toByteArray(), "run", script.toString())).isEqualTo(ExitCode.DONE);
        assertThat(screen.out()).contains("vertices");
        assertThat(folder.resolve(".starling")).doesNotExist();
    }

    @Test
    void namesStandardInputWhenItMakesNoSense() {
        byte[] text = "1 2\n2 x\n".getBytes(StandardCharsets.UTF_8);

        assertThat(piped(text, "convert", "-", "out.mtx")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains("standard input:2:").doesNotContain(".starling");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void readsAnAddressAndAsksNoOtherHost() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/a.mtx",
                exchange -> {
                    byte[] text =
                            "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"
                                    .getBytes(StandardCharsets.UTF_8);
                    try (exchange) {
                        exchange.sendResponseHeaders(200, text.length);
                        exchange.getResponseBody().write(text);
                    }
                });
        server.start();
        try {
            String host = "127.0.0.1:" + server.getAddress().getPort();
            String url = "http://" + host + "/a.mtx";

            assertThat(run("convert", url, "out.tsv")).isEqualTo(ExitCode.DONE);
            assertThat(folder.resolve("out.tsv")).hasContent("1\t2\n");
            assertThat(run("inspect", url)).isEqualTo(ExitCode.DONE);
            assertThat(run("inspect", "http://" + host + "/none")).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(screen.err()).contains("status 404");

            Files.writeString(folder.resolve("load.json"), PIPED.replace("\"-\"", '"' + url + '"'));
            assertThat(run("run", "load.json")).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(screen.err()).contains("no host is allowed").contains("--allow-url " + host);
            assertThat(run("run", "load.json", "--allow-url", "http://x"))
                    .isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(run("run", "load.json", "--allow-url", host)).isEqualTo(ExitCode.DONE);
        } finally {
            server.stop(0);
        }
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
        return piped(new byte[0], words);
    }

    private ExitCode piped(byte[] input, String... words) {
        return Commands.all()
                .run(words, screen.terminal(folder.toAbsolutePath(), input), new Interruption());
    }
}
