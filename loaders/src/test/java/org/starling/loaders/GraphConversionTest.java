package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** A graph through each format that is written, and back to the same edges. */
final class GraphConversionTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "a.csv, 0",
        "a.tsv, 0",
        "a.csv.gz, 0",
        "a.tsv.zst, 0",
        "a.csv.bz2, 0",
        "a.mtx, 1",
        "a.mtx.gz, 1",
        "a.gr, 1",
        "a.sg, 0",
        "a.graphml, 0",
        "a.graphml.zst, 0",
        "a.graph500, 0",
        "a.graph500-packed, 0",
        "a.graph, 1"
    })
    void writesWhatReadsBackToTheSameEdges(String name, long firstId) throws IOException {
        for (boolean directed : new boolean[] {false, true}) {
            if (directed && name.endsWith(".graph")) {
                continue; // METIS has no directions
            }
            Parameters made = edges(directed);
            Path file = folder.toRealPath().resolve(name);
            FileFormat to = FileFormat.ofName(file).orElseThrow();

            GraphConversion.Written written =
                    GraphConversion.convert(FileFormat.EDGE_LIST, made, file, to);

            Parameters back = Parameters.of("file", file.toString());
            boolean says = to != FileFormat.EDGE_LIST && !to.title().startsWith("graph500");
            if (says && to != FileFormat.METIS && to != FileFormat.DIMACS) {
                assertThat(to.directed(back)).isEqualTo(directed);
            }
            Recorded read = Recorded.of(to.source(back.with("directed", directed)));
            if (to == FileFormat.DIMACS && !directed) {
                assertThat(read.edges).hasSize(600); // arcs run both ways
                read.edges.removeIf(edge -> edge.source() > edge.target());
            }
            if (to.title().startsWith("graph500") && directed) {
                read = Recorded.of(to.source(back)); // once
            }
            assertThat(read.hash(firstId, directed))
                    .as("%s, directed %s", name, directed)
                    .isEqualTo(Recorded.of(FileFormat.EDGE_LIST.source(made)).hash(0, directed));
            assertThat(written.edges()).isEqualTo(300);
            assertThat(written.vertices()).isEqualTo(120);
            assertThat(written.renumbered()).isEqualTo(firstId == 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"undirected, false", "directed, true"})
    void writesSerializedGraphsToTheByteAsGapsOwnConverter(String graph, boolean directed)
            throws IOException, URISyntaxException {
        Path file = folder.toRealPath().resolve("a.wsg");
        Parameters list =
                Parameters.of("file", foreign(graph + ".wel").toString())
                        .with("directed", directed);

        GraphConversion.convert(FileFormat.EDGE_LIST, list, file, FileFormat.GAP);

        assertThat(file).hasSameBinaryContentAs(foreign(graph + "-gapbs.wsg"));
    }

    private static Path foreign(String name) throws URISyntaxException {
        return Path.of(
                Objects.requireNonNull(
                                GraphConversionTest.class.getResource("/foreign/" + name), name)
                        .toURI());
    }

    @Test
    void numbersVerticesThroughInTheOrderOfTheirIds() throws IOException {
        Path list = Files.writeString(folder.resolve("a.el"), "18446744073709551615 7\n7 100\n");
        Path file = folder.toRealPath().resolve("a.mtx");

        GraphConversion.Written written =
                GraphConversion.convert(
                        FileFormat.EDGE_LIST,
                        Parameters.of("file", list.toString()).with("directed", true),
                        file,
                        FileFormat.MATRIX_MARKET);

        assertThat(written.renumbered()).isTrue();
        assertThat(file)
                .hasContent("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n1 2\n");
    }

    @Test
    void leavesOutWhatARowHasNoRoomForAndSaysSo() throws IOException {
        Path list =
                Files.writeString(folder.resolve("a.el"), "1 2 5\n2 1 3\n2 2 1\n2 3 4\n1 2 9\n");
        Path file = folder.toRealPath().resolve("a.graph");

        GraphConversion.Written written =
                GraphConversion.convert(
                        FileFormat.EDGE_LIST,
                        Parameters.of("file", list.toString()),
                        file,
                        FileFormat.METIS);

        assertThat(written.skippedSelfLoops()).isEqualTo(1);
        assertThat(written.skippedDuplicates()).isEqualTo(2);
        assertThat(written.edges()).isEqualTo(2);
        assertThat(file).hasContent("3 2 1\n2 3\n1 3 3 4\n2 4\n");
    }

    @Test
    void keepsVerticesWithoutEdges() throws IOException {
        Path metis = Files.writeString(folder.resolve("a.graph"), "4 1\n2\n1\n\n\n");
        Path file = folder.toRealPath().resolve("a.graphml");

        GraphConversion.convert(
                FileFormat.METIS,
                Parameters.of("file", metis.toString()),
                file,
                FileFormat.GRAPHML);

        assertThat(
                        Recorded.of(
                                        FileFormat.GRAPHML.source(
                                                Parameters.of("file", file.toString())))
                                .vertices)
                .containsOnlyKeys(1L, 2L, 3L, 4L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 2 0.5 | a.wsg | false | weights of a serialized graph are whole numbers",
                "1 2 0 | a.graph | false | an edge has the weight 0",
                "1 2 3 | a.graph | true | edges of METIS have no direction",
                "1 2 3 | a.sg.gz | false | is not written compressed",
                "1 2 3 | a.csv.lz4 | false | lz4 is read but not written",
                "1 281474976710656 | a.graph500 | false | ids of graph500 are below 2^48",
                "1 2 | a.gml | false | gml is read but not written",
                "1 x | a.csv | false | a.el:1: expected two vertex ids"
            })
    void refusesWhatAFormatCannotHoldAndLeavesNothing(
            String text, String name, boolean directed, String said) throws IOException {
        Path list = Files.writeString(folder.resolve("a.el"), text + "\n");
        Path file = folder.toRealPath().resolve(name);
        FileFormat to = FileFormat.ofName(file).orElseThrow();
        Parameters from = Parameters.of("file", list.toString()).with("directed", directed);

        assertThatThrownBy(() -> GraphConversion.convert(FileFormat.EDGE_LIST, from, file, to))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(said);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(list);
        }
    }

    /** A graph of 120 vertices from 0 and 300 different edges with whole weights. */
    private Parameters edges(boolean directed) throws IOException {
        StringBuilder text = new StringBuilder("0 60 7\n");
        for (int i = 1; i < 300; i++) {
            int source = i * 7 % 120;
            int target = (source + 1 + i / 120) % 120;
            text.append(source).append(' ').append(target).append(' ').append(1 + i % 9);
            text.append('\n');
        }
        Path file = Files.writeString(folder.resolve("made.el"), text);
        return Parameters.of("file", file.toString()).with("directed", directed);
    }

    /** Names with whatever files have to escape; an edge to itself, and a vertex of a literal. */
    private Path names() throws IOException {
        Path file = folder.toRealPath().resolve("names.nt");
        Files.writeString(
                file,
                "<urn:b&\"> <urn:p> <urn:a,b> .\n".replace("&\"", "&\\u0022")
                        + "<urn:a,b> <urn:p> _:z .\n_:z <urn:q> \"lonely\" .\n<urn:y> <urn:q> \"lonely\" .\n_:z <urn:p> _:z .\n");
        return file;
    }

    @ParameterizedTest
    @CsvSource({"t.csv", "t.tsv.gz", "t.parquet", "t.arrow"})
    void keepsIdsThatAreTextsWhereTheFormatHasAny(String name) throws IOException {
        Path file = folder.toRealPath().resolve(name);
        Parameters triples = Parameters.of("file", names().toString()).with("directed", true);
        FileFormat to = FileFormat.ofName(file).orElseThrow();

        GraphConversion.Written written =
                GraphConversion.convert(FileFormat.NTRIPLES, triples, file, to);

        assertThat(written.vertices()).isEqualTo(4);
        assertThat(written.edges()).isEqualTo(3);
        assertThat(written.renumbered()).isFalse();
        assertThat(written.leftOut()).containsExactly("predicate");
        Path back = folder.toRealPath().resolve("back.csv");
        Parameters texts =
                Parameters.of("file", file.toString()).with("ids", "text").with("directed", true);
        GraphConversion.convert(to, texts, back, FileFormat.EDGE_LIST);
        assertThat(Files.readAllLines(back))
                .containsExactly(
                        "source,target",
                        "\"urn:b&\"\"\",\"urn:a,b\"",
                        "\"urn:a,b\",_:z",
                        "_:z,_:z");
    }

    @Test
    void countsTextsThroughWhereTheFormatHasNumbers() throws IOException {
        Path file = folder.toRealPath().resolve("t.mtx");
        Parameters triples = Parameters.of("file", names().toString()).with("directed", true);

        GraphConversion.Written written =
                GraphConversion.convert(
                        FileFormat.NTRIPLES, triples, file, FileFormat.MATRIX_MARKET);

        assertThat(written.renumbered()).isTrue();
        assertThat(Files.readAllLines(file)).endsWith("4 4 3", "3 2", "2 1", "1 1");
    }

    @Test
    void escapesTextsForProgramsThatDraw() throws IOException {
        Parameters triples = Parameters.of("file", names().toString()).with("directed", true);
        Path dot = folder.toRealPath().resolve("t.dot");
        Path xml = folder.toRealPath().resolve("t.graphml");

        GraphConversion.convert(FileFormat.NTRIPLES, triples, dot, FileFormat.DOT);
        GraphConversion.convert(FileFormat.NTRIPLES, triples, xml, FileFormat.GRAPHML);

        assertThat(Files.readAllLines(dot))
                .contains("  \"urn:b&\\\"\" -> \"urn:a,b\";", "  \"_:z\" -> \"_:z\";");
        assertThat(Files.readString(xml))
                .contains("<edge source=\"urn:b&amp;&quot;\" target=\"urn:a,b\"/>");
    }

    @Test
    void refusesALineBreakInAnEdgeList() throws IOException {
        Path file = folder.toRealPath().resolve("n.nt");
        Files.writeString(file, "<urn:a\\u000Ab> <urn:p> <urn:c> .\n");
        Parameters triples = Parameters.of("file", file.toString()).with("directed", true);
        Path out = folder.toRealPath().resolve("n.csv");

        assertThatThrownBy(() ->
                        GraphConversion.convert(
                                FileFormat.NTRIPLES, triples, out, FileFormat.EDGE_LIST))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has a line break");
        assertThat(out).doesNotExist();
    }
}
