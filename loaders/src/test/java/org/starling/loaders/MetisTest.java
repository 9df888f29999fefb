package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.SourceDescription;

class MetisTest {

    private static final String TRIANGLE = "% made by hand\n4 3\n2 3\n% between\n1 3\n1 2\n\n";

    @TempDir private Path folder;

    @Test
    void givesEveryEdgeOnceAndKeepsIsolatedVertices() throws IOException {
        EdgeSource source = source(TRIANGLE, 1 << 20);

        SourceDescription description = source.describe();

        assertThat(description).isEqualTo(new SourceDescription(1, true, 1, 4, 3, false));
        assertThat(Edges.of(source))
                .containsExactly(edge(1, 2, 1f), edge(1, 3, 1f), edge(2, 3, 1f));
    }

    @Test
    void readsWeightsOfEdges() throws IOException {
        assertThat(read("3 2 1\n2 5\r\n1 5 3 0.5\n2 0.5"))
                .containsExactly(edge(1, 2, 5f), edge(2, 3, 0.5f));
    }

    @ParameterizedTest
    @CsvSource({
        "2 1 10,'7 2\n9 1\n'",
        "2 1 010 2,'7 7 2\n9 9 1\n'",
        "2 1 100,'7 2\n9 1\n'",
        "2 1 110 2,'8 7 7 2\n8 9 9 1\n'",
        "2 1 111,'8 7 2 1\n8 9 1 1\n'",
        "2 1 011 3,'7 7 7 2 1\n9 9 9 1 1\n'"
    })
    void skipsSizesAndWeightsOfVertices(String header, String lines) throws IOException {
        assertThat(read(header + "\n" + lines)).containsExactly(edge(1, 2, 1f));
    }

    @Test
    void givesASelfLoopOnce() throws IOException {
        assertThat(read("2 2\n1 2\n1\n")).containsExactly(edge(1, 1, 1f), edge(1, 2, 1f));
    }

    @Test
    void givesTheSameEdgesWhateverTheParts() throws IOException {
        long seed = 99;
        String text = random(seed, 100, 300);
        List<Edges.Edge> whole = read(text);

        for (int partBytes : new int[] {1, 5, 64, 1000}) {
            List<Edges.Edge> parts = Edges.of(source(text, partBytes));

            assertThat(parts).as("seed %d, parts of %d bytes", seed, partBytes).isEqualTo(whole);
        }
    }

    @Test
    void readsGzip() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(TRIANGLE.getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("graph.gz"), bytes.toByteArray());

        assertThat(Edges.of("metis", Parameters.of("file", file.toString()))).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "3 3,':2: the header says 3 edges, but the lines after it have 4 neighbours, which makes 2'",
        "4 2,':2: the header says 4 vertices, but there are 3 lines after it'",
        "9000000000 2,':2: expected a number of vertices that fits the file''s size'",
        "3 9000000000,':2: expected a number of edges that fits the file''s size'",
        "3,':2: expected a header \"vertices edges [fmt [ncon]]\", found \"3\"'",
        "3 x,':2: expected a header'",
        "3 2 7,':2: expected fmt of up to three digits 0 or 1 in the header, found \"7\"'",
        "0 0,':2: expected a number of vertices that fits'"
    })
    void refusesAHeaderThatLies(String header, String reason) {
        String text = "% comment\n" + header + "\n2 3\n1\n1\n";

        for (int partBytes : new int[] {1 << 20, 6}) {
            assertThatThrownBy(() -> Edges.of(source(text, partBytes)))
                    .as("parts of %d bytes", partBytes)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("g.graph" + reason);
        }
    }

    @Test
    void refusesMoreLinesThanTheHeaderSays() {
        assertThatThrownBy(() -> read("2 2\n2\n1\n\n1 2\n"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("g.graph:5: expected no more lines")
                .hasMessageContaining("the header says 2 vertices, found \"1\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "301", "-1", "x", "2.5", "7,8", "99999999999999999999"})
    void namesTheLineOfABadNeighbourEvenInTheMiddleOfTheFile(String bad) {
        String[] lines = random(5, 300, 900).split("\n", -1);
        lines[200] = "1 " + bad + " 2";
        String text = String.join("\n", lines);

        for (int partBytes : new int[] {1 << 20, 100}) {
            assertThatThrownBy(() -> Edges.of(source(text, partBytes)))
                    .as("parts of %d bytes", partBytes)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(
                            "g.graph:201: expected a neighbour from 1 to 300, found \""
                                    + bad
                                    + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "NaN", "x", "1e99"})
    void refusesWeightsThatAreNotGreaterThanZero(String weight) {
        assertThatThrownBy(() -> read("2 1 1\n2 " + weight + "\n1 1\n"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("g.graph:2: expected a weight greater than 0")
                .hasMessageContaining("found \"" + weight + "\"");
    }

    @Test
    void refusesANeighbourWithoutItsWeight() {
        assertThatThrownBy(() -> read("2 1 1\n2 1\n1\n"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("g.graph:3: expected a weight greater than 0")
                .hasMessageContaining("found the end of the line");
    }

    @Test
    void namesBothLinesOfAnEdgeThatIsNotAnswered() {
        String text = "% c\n4 3\n2 3 4\n1\n% c\n1\n\n";

        for (int partBytes : new int[] {1 << 20, 4}) {
            assertThatThrownBy(() -> Edges.of(source(text, partBytes)))
                    .as("parts of %d bytes", partBytes)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(
                            "g.graph:3: vertex 1 names neighbour 4 with weight 1.0 1 time(s), but"
                                    + " in line 7 vertex 4 names 1 0 time(s)");
        }
    }

    @Test
    void refusesWeightsThatDifferBetweenTheLinesOfAnEdge() {
        assertThatThrownBy(() -> read("3 2 1\n2 5\n1 4 3 1\n2 1\n"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("vertex 1 names neighbour 2 with weight 5.0 1 time(s)")
                .hasMessageContaining("in line 3 vertex 2 names 1 0 time(s)");
    }

    @Test
    void refusesNeighboursThatOnlyCancelOutInNumber() {
        // Entries and header agree: 1 names 2, 2 names 3, 3 names 1, so that none is answered.
        assertThatThrownBy(() -> read("3 2\n2\n3\n1 2\n"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("time(s)");
    }

    @Test
    void refusesAFileWithoutHeader() {
        assertThatThrownBy(() -> read("% nothing\n\n"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("there is no METIS header in the file");
    }

    @ParameterizedTest
    @CsvSource({
        "karate,34,78",
        "lesmis,77,254",
        "jazz,198,2742",
        "power,4941,6594",
        "PGPgiantcompo,10680,24316",
        "astro-ph,16706,121251"
    })
    void readsPublicGraphs(String name, long vertices, int edges) throws IOException {
        Path file = SharedData.file("data/" + name + ".graph");
        Parameters parameters = Parameters.of("file", file.toString()).with("partBytes", 4096);
        EdgeSource source = Edges.source("metis", parameters);

        List<Edges.Edge> read = Edges.of(source);

        assertThat(source.describe().vertexCount()).isEqualTo(vertices);
        assertThat(read).hasSize(edges).doesNotHaveDuplicates();
    }

    private static String random(long seed, int vertices, int attempts) {
        Random random = new Random(seed);
        List<SortedSet<Integer>> rows = new java.util.ArrayList<>();
        for (int vertex = 0; vertex <= vertices; vertex++) {
            rows.add(new TreeSet<>());
        }
        int edges = 0;
        for (int k = 0; k < attempts; k++) {
            int one = 1 + random.nextInt(vertices);
            int other = 1 + random.nextInt(vertices);
            if (one != other && rows.get(one).add(other)) {
                rows.get(other).add(one);
                edges++;
            }
        }
        StringBuilder text = new StringBuilder();
        text.append(vertices).append(' ').append(edges).append('\n');
        for (SortedSet<Integer> row : rows.subList(1, vertices + 1)) {
            row.forEach(neighbour -> text.append(neighbour).append(' '));
            text.append('\n');
        }
        return text.toString();
    }

    private static Edges.Edge edge(long source, long target, float weight) {
        return new Edges.Edge(source, target, weight);
    }

    private List<Edges.Edge> read(String text) throws IOException {
        return Edges.of(source(text, 1 << 20));
    }

    private EdgeSource source(String text, int partBytes) throws IOException {
        Path file = Files.writeString(folder.resolve("g.graph"), text);
        return Edges.source(
                "metis", Parameters.of("file", file.toString()).with("partBytes", partBytes));
    }
}
