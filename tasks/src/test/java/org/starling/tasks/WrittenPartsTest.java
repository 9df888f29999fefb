package org.starling.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;

/** Folders of tables that all peers write at once: on the engine, with two peers. */
final class WrittenPartsTest {
    @RegisterExtension static final TwoPeers PEERS = new TwoPeers();

    @TempDir Path folder;

    @AfterEach
    void dropGraphs() {
        List.copyOf(PEERS.session().graphs()).forEach(PEERS.session()::drop);
    }

    private Map<String, Object> run(String task, Map<String, ?> arguments) throws IOException {
        return PEERS.run(folder, task, arguments);
    }

    private Map<String, Object> write(String file, List<String> columns) throws IOException {
        return run("graph.write", Map.of("columns", columns, "file", file, "parts", true));
    }

    private void load(Stream<String> lines, String ids) throws IOException {
        Files.write(folder.resolve("e.csv"), lines.toList());
        run(
                "graph.load",
                Map.of("file", "e.csv", "format", "edgelist", "ids", ids, "directed", true));
        run("graph.bfs", Map.of("source", 0));
        run("graph.wcc", Map.of("verify", false));
    }

    private List<Path> parts(String name) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(name))) {
            return files.sorted().toList();
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"number", "text"})
    void holdTogetherWhatOneTableHolds(String ids) throws IOException {
        load(IntStream.range(0, 6000).mapToObj(i -> i + "," + i * 7919L % 1009), ids);
        List<String> columns = List.of("level", "parent", "component");
        run("graph.write", Map.of("columns", columns, "file", "one.csv"));

        Map<String, Object> result = write("many.csv", columns);

        List<String> rows = new ArrayList<>();
        for (Path part : parts("many.csv")) {
            List<String> lines = Files.readAllLines(part);
            assertThat(lines.getFirst()).isEqualTo("id,level,parent,component");
            assertThat(lines.size()).isGreaterThan(1);
            rows.addAll(lines.subList(1, lines.size()));
        }
        assertThat(result).containsEntry("rows", 6000L);
        assertThat(parts("many.csv")).hasSizeGreaterThan(1);
        assertThat(parts("many.csv"))
                .allSatisfy(part ->
                        assertThat(part.getFileName().toString()).matches("part-\\d{5}\\.csv"));
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        Files.readAllLines(folder.resolve("one.csv")).subList(1, 6001));
        assertThat(names()).containsExactly("e.csv", "many.csv", "one.csv");
    }

    @ParameterizedTest
    @CsvSource({
        "t.csv.gz, csv.gz, 1f8b",
        "t.jsonl.bz2, jsonl.bz2, 425a68",
        "t.parquet, parquet, 50415231",
        "t.arrow, arrow, 4152524f5731",
    })
    void areOfTheFormatThatTheNameTells(String file, String ending, String magic)
            throws IOException {
        load(Stream.of("0,1", "1,2"), "number");

        write(file, List.of("level"));

        for (Path part : parts(file)) {
            assertThat(part.getFileName().toString()).endsWith("." + ending);
            assertThat(java.util.HexFormat.of().formatHex(Files.readAllBytes(part)))
                    .startsWith(magic);
        }
    }

    @Test
    void arePackedWhole() throws IOException {
        load(Stream.of("0,1"), "number");

        write("t.tsv.gz", List.of("level"));

        StringBuilder all = new StringBuilder();
        for (Path part : parts("t.tsv.gz")) {
            try (InputStream in = new GZIPInputStream(Files.newInputStream(part))) {
                all.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        assertThat(all).contains("id\tlevel\n").contains("0\t0\n").contains("1\t1\n");
    }

    @Test
    void takeThePlaceOfOlderOnes() throws IOException {
        load(Stream.of("0,1"), "number");
        write("t", List.of("level"), "csv");
        List<Path> before = parts("t");
        Files.writeString(folder.resolve("t/part-99999.csv"), "id,level\n7,7\n");

        write("t", List.of("component"), "csv");

        assertThat(parts("t")).isEqualTo(before);
        assertThat(Files.readString(before.getFirst())).startsWith("id,component\n");
        assertThat(names()).containsExactly("e.csv", "t");
    }

    @Test
    void takeThePlaceOfAnEmptyFolder() throws IOException {
        load(Stream.of("0,1"), "number");
        Files.createDirectory(folder.resolve("t.csv"));

        write("t.csv", List.of("level"));

        assertThat(parts("t.csv")).isNotEmpty();
    }

    private void write(String file, List<String> columns, String format) throws IOException {
        run(
                "graph.write",
                Map.of("columns", columns, "file", file, "parts", true, "format", format));
    }

    @Test
    void leaveAFolderAloneInWhichOtherThingsLie() throws IOException {
        load(Stream.of("0,1"), "number");
        Files.createDirectory(folder.resolve("t"));
        Files.writeString(folder.resolve("t/part-00000.csv"), "id\n");
        Files.writeString(folder.resolve("t/thesis.tex"), "years of work");

        assertThatThrownBy(() -> write("t", List.of("level"), "csv"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("no folder of parts alone")
                .hasMessageContaining("name another folder, or remove it");
        assertThat(parts("t")).hasSize(2);
        assertThat(names()).containsExactly("e.csv", "t");
    }

    @Test
    void leaveNothingBehindIfAColumnIsMissing() throws IOException {
        load(Stream.of("0,1"), "number");

        assertThatThrownBy(() -> write("t.csv", List.of("level", "levle")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"levle\"");
        assertThat(names()).containsExactly("e.csv");
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "jsonl", "parquet", "arrow"})
    void areOneAtLeastWithoutVertices(String format) throws IOException {
        Files.writeString(folder.resolve("v.csv"), "id,age:int\n1,4\n2,5\n");
        Files.writeString(folder.resolve("e.csv"), "1,2\n");
        run(
                "graph.load",
                Map.of("file", "e.csv", "format", "edgelist", "vertices", List.of("v.csv")));
        run("graph.project", Map.of("vertices", "age > 100", "as", "nobody"));

        run(
                "graph.write",
                Map.of(
                        "graph",
                        "nobody",
                        "columns",
                        List.of("age"),
                        "file",
                        "t." + format,
                        "parts",
                        true));

        assertThat(parts("t." + format)).hasSize(1);
    }

    @Test
    void keepAFolderWhereAFileIsMeant() throws IOException {
        load(Stream.of("0,1"), "number");
        write("t.csv", List.of("level"));

        assertThatThrownBy(() ->
                        run("graph.write", Map.of("columns", List.of("level"), "file", "t.csv")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("is a folder, not a file; say \"parts\": true");
        assertThat(parts("t.csv")).isNotEmpty();
    }
}
