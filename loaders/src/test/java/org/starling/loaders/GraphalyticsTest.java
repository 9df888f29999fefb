package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;

class GraphalyticsTest {
    private static final String PROPERTIES =
            """
            # a comment
            graph.tiny.vertex-file = tiny.v
            graph.tiny.edge-file = tiny.e
            graph.tiny.meta.vertices = 4
            graph.tiny.meta.edges = 3
            graph.tiny.directed = true
            graph.tiny.edge-properties.names = weight
            graph.tiny.algorithms = bfs, wcc
            graph.tiny.bfs.source-vertex = 18446744073709551615
            graph.tiny.pr.damping-factor = 0.85
            graph.tiny.pr.num-iterations = 2
            """;

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 1 << 20})
    void readsVerticesAndEdgesInParts(long partBytes) throws IOException {
        write("tiny.v", "1\n2\n7\n18446744073709551615\n");
        write("tiny.e", "1 2 0.5\n18446744073709551615 1 0.25\n2 1 4\n");
        GraphalyticsDataset dataset = dataset(PROPERTIES);

        Read weighted = read(dataset.source(true).with("partBytes", partBytes));
        Read plain = read(dataset.source(false).with("partBytes", partBytes));

        assertThat(weighted.vertices).containsExactlyInAnyOrder(1L, 2L, 7L, -1L);
        assertThat(weighted.edges)
                .containsExactlyInAnyOrder(
                        new Edges.Edge(1, 2, 0.5f),
                        new Edges.Edge(-1, 1, 0.25f),
                        new Edges.Edge(2, 1, 4));
        assertThat(plain.edges).contains(new Edges.Edge(1, 2, 1)).hasSize(3);
        assertThat(weighted.parts).isEqualTo(partBytes == 1 << 20 ? 2 : weighted.parts);
    }

    @Test
    void readsCompressedFilesAndFilesWithoutEdges() throws IOException {
        try (GZIPOutputStream out =
                new GZIPOutputStream(Files.newOutputStream(folder.resolve("tiny.v")))) {
            out.write("3\n4\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        }
        write("tiny.e", "");

        Read read = read(dataset("graph.tiny.directed = false\n").source(false));

        assertThat(read.vertices).containsExactly(3L, 4L);
        assertThat(read.edges).isEmpty();
    }

    @Test
    void knowsWhatThePropertiesSay() throws IOException {
        GraphalyticsDataset dataset = dataset(PROPERTIES);

        assertThat(dataset.name()).isEqualTo("tiny");
        assertThat(dataset.directed()).isTrue();
        assertThat(dataset.algorithms()).containsExactly("bfs", "wcc");
        assertThat(dataset.algorithmsLine()).isEqualTo(8);
        assertThat(dataset.id("bfs.source-vertex", "")).isEqualTo(-1);
        assertThat(dataset.number("pr.damping-factor", "")).isEqualTo(0.85);
        assertThat(dataset.count("pr.num-iterations", "")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    graph.tony.directed = true        | tiny.properties:1: expected "graph.tiny.… = …", found "graph.tony.directed = true"
                    directed                          | tiny.properties:1: expected
                    graph.tiny.directed = maybe       | tiny.properties:1: graph.tiny.directed must be true or false, found "maybe"
                    graph.tiny.x = 1                  | tiny.properties: there is no graph.tiny.directed, which says
                    """)
    void refusesPropertiesThatMakeNoSense(String text, String reason) throws IOException {
        write("tiny.properties", text);

        assertThatThrownBy(() ->
                        GraphalyticsDataset.read(folder.resolve("tiny.properties")).directed())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void refusesPropertiesThatStandTwice() throws IOException {
        write("tiny.properties", "graph.tiny.x = 1\n\ngraph.tiny.x = 2\n");

        assertThatThrownBy(() -> GraphalyticsDataset.read(folder.resolve("tiny.properties")))
                .hasMessageContaining("tiny.properties:3: graph.tiny.x stands in line 1 already");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bfs.source-vertex = -1    | must be a vertex id, found "-1"
                    pr.damping-factor = x     | must be a number, found "x"
                    pr.damping-factor = 1e999 | must be a finite number, found "1e999"
                    pr.num-iterations = 0     | must be a whole number from 1 to 2147483647, found "0"
                    pr.num-iterations = 2.5   | must be a whole number, found "2.5"
                    """)
    void refusesParametersThatMakeNoSense(String line, String reason) throws IOException {
        GraphalyticsDataset dataset = dataset("\ngraph.tiny." + line);

        assertThatThrownBy(
                        () -> {
                            dataset.id("bfs.source-vertex", "which");
                        })
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(line.startsWith("bfs") ? reason : "there is no");
        assertThatThrownBy(
                        () -> {
                            dataset.number("pr.damping-factor", "which");
                        })
                .hasMessageContaining(line.startsWith("pr.d") ? ":2: graph.tiny.pr" : "there is no")
                .hasMessageContaining(line.startsWith("pr.d") ? reason : "which");
        assertThatThrownBy(
                        () -> {
                            dataset.count("pr.num-iterations", "which");
                        })
                .hasMessageContaining(line.startsWith("pr.n") ? reason : "which");
    }

    @Test
    void refusesWeightsThatAreNotThere() throws IOException {
        GraphalyticsDataset plain = dataset("graph.tiny.directed = true\n");
        GraphalyticsDataset other =
                dataset(PROPERTIES + "graph.tiny.sssp.weight-property = length\n");

        assertThatThrownBy(() -> plain.source(true)).hasMessageContaining("edges have no weights");
        assertThatThrownBy(() -> other.requireFirstWeight("sssp.weight-property"))
                .hasMessageContaining("must be \"weight\", the first of edges', found \"length\"");
        assertThatNoException().isThrownBy(() -> plain.requireFirstWeight("sssp.weight-property"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1;x2;3;4      | 1 2 1;2 3 1;3 1 1   | tiny.v:2: expected one vertex id from 0 to 18446744073709551615, found "x2"
                    1;2 3;3;4     | 1 2 1;2 3 1;3 1 1   | tiny.v:2: expected one vertex id
                    1;2;-3;4      | 1 2 1;2 3 1;3 1 1   | tiny.v:3: expected one vertex id
                    1;2;3;4       | 1 2 1;2 3;3 1 1     | tiny.e:2: expected a weight in the third field
                    1;2;3;4       | 1 2 1;2 x 1;3 1 1   | tiny.e:2: expected two vertex ids
                    1;2;3         | 1 2 1;2 3 1;3 1 1   | tiny.v: there are 3 vertices in the file, but 4 were promised
                    1;2;3;4       | 1 2 1;2 3 1         | tiny.e: there are 2 edges in the file, but 3 were promised
                    """)
    void refusesFilesThatMakeNoSense(String vertices, String edges, String reason)
            throws IOException {
        write("tiny.v", vertices.replace(';', '\n') + "\n");
        write("tiny.e", edges.replace(';', '\n') + "\n");
        Parameters source = dataset(PROPERTIES).source(true);

        assertThatThrownBy(() -> read(source))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1;2;2;4      | 1 2;2 4;4 1      | tiny.v:3: vertex 2 stands here again
                    1;2;3;4      | 1 2;2 9;3 1      | tiny.e:2: vertex 9 does not stand in
                    1;2;3;4      | 1 2;2 3;#;8 1    | tiny.e:4: vertex 8 does not stand in
                    """)
    void saysWhyVerticesAreNotThoseOfTheVertexFile(String vertices, String edges, String reason)
            throws IOException {
        write("tiny.v", vertices.replace(';', '\n') + "\n");
        write("tiny.e", edges.replace(';', '\n') + "\n");
        GraphalyticsDataset dataset = dataset(PROPERTIES);
        Read read = read(dataset.source(false));
        TreeSet<Long> all = new TreeSet<>(read.vertices);
        read.edges.forEach(edge -> all.addAll(List.of(edge.source(), edge.target())));

        assertThatThrownBy(() -> dataset.requireVertices(all.size()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(reason);
        assertThatNoException().isThrownBy(() -> dataset.requireVertices(4));
    }

    private GraphalyticsDataset dataset(String properties) throws IOException {
        write("tiny.properties", properties);
        return GraphalyticsDataset.read(folder.resolve("tiny.properties"));
    }

    private void write(String name, String text) {
        try {
            Files.writeString(folder.resolve(name), text);
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private record Read(int parts, List<Long> vertices, List<Edges.Edge> edges) {}

    private static Read read(Parameters parameters) throws IOException {
        EdgeSource source = Edges.source(FileFormat.GRAPHALYTICS.title(), parameters);
        Read read = new Read(source.describe().parts(), new ArrayList<>(), new ArrayList<>());
        List<PartSummary> summaries = new ArrayList<>();
        for (int part = 0; part < read.parts; part++) {
            summaries.add(
                    source.read(
                            part,
                            new EdgeSink() {
                                @Override
                                public void edge(long from, long to, float weight) {
                                    read.edges.add(new Edges.Edge(from, to, weight));
                                }

                                @Override
                                public void vertex(long id) {
                                    read.vertices.add(id);
                                }
                            }));
        }
        source.check(summaries);
        return read;
    }
}
