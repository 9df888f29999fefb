package org.starling.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.loaders.FileFormat;

final class GraphFileProbeTest {
    private static final String PATH_OF_THREE = "3 2\n2\n1 3\n2\n";

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"a.graph", "a.metis", "A.GRAPH", "a.graph.gz"})
    void goesByTheEnding(String name) throws IOException {
        assertThat(format(name, "1 2\n2 3\n")).isEqualTo("metis");
    }

    @Test
    void goesByThePropertiesBesideAGraph() throws IOException {
        Files.writeString(
                folder.resolve("a.properties"), "graphclass=it.unimi.dsi.webgraph.BVGraph\n");

        assertThat(format("a.graph", PATH_OF_THREE)).isEqualTo("webgraph");
        assertThat(format("b.graph", PATH_OF_THREE)).isEqualTo("metis");
    }

    @Test
    void takesTextsForAnEdgeListUnlessAFileNamesOthers() throws IOException {
        Path list = Files.writeString(folder.resolve("a.graph"), PATH_OF_THREE);
        Path dataset =
                Files.writeString(folder.resolve("b.properties"), "graph.b.directed = true\n");
        Parameters texts = Parameters.of("format", "auto").with("ids", "text");

        assertThat(SourceArguments.formatOfIds(texts, list)).isEqualTo(FileFormat.EDGE_LIST);
        assertThatThrownBy(() -> SourceArguments.formatOfIds(texts, dataset))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("b.properties is graphalytics, whose ids are numbers");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PATH_OF_THREE,
                "% a comment\n3 2\n2\n1 3\n2\n",
                "3 1\n2\n1\n\n",
                "3 1\n\n3\n2\n",
                "3 2 1\n2 5\n1 5 3 7\n2 7\n",
                "  3   2  \n2\n1 3\n2\n"
            })
    void recognisesMetis(String text) throws IOException {
        assertThat(format("a", text)).isEqualTo("metis");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<http://x.org/a> <http://x.org/p> <http://x.org/b> .\n",
                "# people\n\n_:a <http://x.org/p> \"a literal\"@en .\n",
                "<urn:a><urn:p><urn:b>.# close\n"
            })
    void recognisesTriples(String text) throws IOException {
        assertThat(format("a", text)).isEqualTo("ntriples");
        assertThat(format("a.nt.gz", text)).isEqualTo("ntriples");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 2\n2 3\n",
                "# SNAP\n1\t2\n2\t3\n",
                "10 2\n3 4\n5 6\n",
                "1 2 0.5\n2 3 0.25\n",
                "3,2\n2,1\n",
                "100 2\n0 1\n5\n",
                "3 900\n1\n2 3\n",
                "source target\n1 2\n",
                "",
                "% only a comment\n",
                "10 2\n3 4\n\n5 6\n",
                "10 2 1\n# more\n3 4 5\n5 6 7\n",
                "<alice> <bob>\n<bob> <carol>\n",
                "Creator alice\nVersion bob\n",
                "Creator,alice\ngraph [\n"
            })
    void takesAllElseForEdgeLists(String text) throws IOException {
        assertThat(format("a", text)).isEqualTo("edgelist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.csv", "a.tsv", "a.el", "a.wel", "a.csv.gz"})
    void believesTheNamesOfLists(String name) throws IOException {
        assertThat(format(name, PATH_OF_THREE)).isEqualTo("edgelist");
        assertThat(format(name, "graph [\n")).isEqualTo("edgelist");
    }

    @ParameterizedTest
    @CsvSource({
        "a.graph500, <?xml, graph500",
        "a.graph500-packed, graph [, graph500-packed",
        "a.sg, p sp 2 1, gap",
        "a.wsg, AdjacencyGraph, gap"
    })
    void looksIntoNoFileWithTheNameOfABinaryFormat(String name, String text, String format)
            throws IOException {
        Path gzip = folder.resolve("gzip-" + name);
        Files.write(gzip, new byte[] {0x1F, (byte) 0x8B, 0, 0, 0, 0, 0, 0});

        assertThat(format(name, text)).isEqualTo(format);
        assertThat(GraphFileProbe.format(gzip).title()).isEqualTo(format);
    }

    @Test
    void passesOverManyCommentsAndEmptyLines() throws IOException {
        assertThat(format("a", "# c\n".repeat(10_000) + "graph [\n")).isEqualTo("gml");
        assertThat(format("b", "c\n".repeat(20_000) + "p sp 2 1\n")).isEqualTo("dimacs");
        assertThat(format("c", "\n".repeat(60_000) + "1 2\n")).isEqualTo("edgelist");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mtx | %%MatrixMarket matrix coordinate pattern general~2 2 1~1 2~",
                "mtx | %%matrixmarket matrix coordinate pattern general~2 2 1~1 2~",
                "dimacs | c a road network~c~p sp 2 1~a 1 2 7~",
                "dimacs | p edge 2 1~e 1 2~",
                "ligra | AdjacencyGraph~1~0~0~",
                "ligra | WeightedAdjacencyGraph~1~0~0~",
                "graphml | <?xml version=\"1.0\"?><graphml/>",
                "graphml | <graphml/>",
                "gml | graph [ node [ id 1 ] ]",
                "gml | # by hand~Creator \"me\"~graph~[~]",
                "gml | Creator \"me\" Version 1 graph [ ]",
                "gml | ~~Version 1~graph [~]",
                "dimacs | ~c~~p col 2 1~e 1 2~",
                "edgelist | c 1~p 2~",
                "edgelist | graph 1~"
            })
    void tellsFormatsByTheirFirstWords(String format, String text) throws IOException {
        assertThat(format("a", text.replace('~', '\n'))).isEqualTo(format);
    }

    @ParameterizedTest
    @CsvSource({
        "a.mtx, mtx",
        "a.gr, dimacs",
        "a.sg, gap",
        "a.wsg, gap",
        "a.graph500, graph500",
        "a.graph500-packed, graph500-packed",
        "a.graphml.gz, graphml",
        "a.gml, gml",
        "a.adj, ligra",
        "a.csv, edgelist",
        "sg, edgelist"
    })
    void goesByTheEndingIfTheFirstWordsSayNothing(String name, String format) throws IOException {
        assertThat(format(name, "1 2\n2 3\n")).isEqualTo(format);
    }

    @Test
    void looksAtRowsOfManyNeighbours() throws IOException {
        String row = "2 ".repeat(20_000).strip();

        assertThat(format("a", "3 2\n" + row + "\n1 3\n2\n")).isEqualTo("metis");
    }

    @Test
    void looksIntoCompressedFiles() throws IOException {
        Path file = folder.resolve("a.gz");
        try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
            packed.write(PATH_OF_THREE.getBytes(StandardCharsets.US_ASCII));
        }

        assertThat(GraphFileProbe.format(file)).isEqualTo(FileFormat.METIS);
    }

    @Test
    void tellsATruncatedFileForWhatItIs() throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (OutputStream packed = new GZIPOutputStream(whole)) {
            packed.write("1 2\n".repeat(100).getBytes(StandardCharsets.US_ASCII));
        }
        Path file = folder.resolve("cut.gz");
        Files.write(file, Arrays.copyOf(whole.toByteArray(), whole.size() / 2));

        assertThatThrownBy(() -> GraphFileProbe.format(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(file + ": after ")
                .hasMessageContaining("the file is truncated");
    }

    @Test
    void isNotFooledByTheEndOfWhatItLooksAt() throws IOException {
        StringBuilder edges = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            edges.append(100_000 + i).append(' ').append(200_000 + i).append('\n');
        }

        assertThat(format("a", edges.toString())).isEqualTo("edgelist");
    }

    private String format(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        return GraphFileProbe.format(file).title();
    }
}
