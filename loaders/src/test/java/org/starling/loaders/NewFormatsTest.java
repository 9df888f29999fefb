package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.EdgeSource;
import org.starling.graph.Parameters;
import org.starling.graph.PropertyType;

/** What files of each format mean, on files that are small enough to be seen. */
final class NewFormatsTest {
    @TempDir Path folder;

    @Test
    void readsMatricesWithIsolatedRowsCommentsAndBlanks() throws IOException {
        EdgeSource source =
                source(
                        "mtx",
                        """
                        %%MatrixMarket matrix coordinate Real General
                        % a comment

                         5 5 3\s
                        1 2 0.5
                          2   1   1e-1 \s

                        3 3 7
                        """);

        assertThat(Recorded.of(source).edges)
                .containsExactly(edge(1, 2, 0.5f), edge(2, 1, 0.1f), edge(3, 3, 7));
        assertThat(source.describe().vertexCount()).isEqualTo(5);
        assertThat(source.describe().firstId()).isEqualTo(1);
    }

    @Test
    void readsMatricesInPartsOfAnySize() throws IOException {
        StringBuilder text =
                new StringBuilder(
                        "%%MatrixMarket matrix coordinate pattern general\n%\n60 60 59\n");
        for (int i = 1; i < 60; i++) {
            text.append(i).append(' ').append(i + 1).append('\n');
        }
        Path file = Files.writeString(folder.resolve("path.mtx"), text);
        List<Edges.Edge> whole = Edges.of("mtx", Parameters.of("file", file.toString()));

        for (long bytes = 1; bytes < 100; bytes++) {
            Parameters parts = Parameters.of("file", file.toString()).with("partBytes", bytes);

            assertThat(Edges.of("mtx", parts)).isEqualTo(whole);
        }
        assertThat(whole).hasSize(59);
    }

    @Test
    void readsRoadsInPartsOfAnySize() throws IOException {
        StringBuilder text = new StringBuilder("c roads\np sp 60 59\nc arcs\n");
        for (int i = 1; i < 60; i++) {
            text.append("a ").append(i).append(' ').append(i + 1).append(" 5\nc\n");
        }
        Path file = Files.writeString(folder.resolve("path.gr"), text);
        List<Edges.Edge> whole = Edges.of("dimacs", Parameters.of("file", file.toString()));

        for (long bytes = 1; bytes < 100; bytes++) {
            Parameters parts = Parameters.of("file", file.toString()).with("partBytes", bytes);

            assertThat(Edges.of("dimacs", parts)).isEqualTo(whole);
        }
        assertThat(whole).hasSize(59).allMatch(edge -> edge.weight() == 5);
    }

    @Test
    void readsEdgesOfColouringsWithoutDirection() throws IOException {
        EdgeSource source = source("dimacs", "p edge 3 2\nn 1 7\ne 1 2\ne 2 3\n");

        assertThat(Recorded.of(source).edges).containsExactly(edge(1, 2, 1), edge(2, 3, 1));
        assertThat(source.describe().weighted()).isFalse();
        assertThat(FileFormat.DIMACS.directed(file("dimacs"))).isFalse();
    }

    @Test
    void readsAdjacenciesWithWeights() throws IOException {
        EdgeSource source =
                source("ligra", "WeightedAdjacencyGraph\r\n3\r\n2\r\n0\r\n2\r\n2\r\n1 2 7 8\r\n");

        assertThat(Recorded.of(source).edges).containsExactly(edge(0, 1, 7), edge(0, 2, 8));
        assertThat(source.describe().weighted()).isTrue();
    }

    @Test
    void readsDefaultsAndPassesOverDrawings() throws IOException {
        EdgeSource source =
                source(
                        "graphml",
                        """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <!DOCTYPE graphml SYSTEM "http://127.0.0.1:9/none.dtd">
                        <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
                          <key id="c" for="node" attr.name="colour" attr.type="string">
                            <default>red</default></key>
                          <key id="g" for="node" yfiles.type="nodegraphics"/>
                          <key id="w" for="edge" attr.name="weight" attr.type="double">
                            <default>1.5</default></key>
                          <graph edgedefault="undirected">
                            <node id="n0"><data key="c">blue</data></node>
                            <node id="n1"><desc>said</desc><data key="g"><Shape x="1"/></data></node>
                            <edge source="n0" target="n1"/>
                            <edge source="n1" target="n2"><data key="w">2</data></edge>
                          </graph>
                        </graphml>
                        """);

        Recorded read = Recorded.of(source);

        assertThat(read.vertices)
                .containsExactly(
                        Map.entry(0L, Map.of("colour", "blue")),
                        Map.entry(1L, Map.of("colour", "red")));
        assertThat(read.edges).containsExactly(edge(0, 1, 1.5f), edge(1, 2, 2));
        assertThat(source.describe().edgeProperties()).isEmpty();
    }

    @Test
    void takesATypeThatHoldsAllValuesOfAKey() throws IOException {
        EdgeSource source =
                source(
                        "gml",
                        """
                        graph [ directed 1
                          node [ id 1 a 1 b 1 c 1 d "x" ]
                          node [ id 2 a 2 b 0.5 c "y" list 1 list 2 graphics [ x 1 ] ]
                          node [ id 3 a 99999999999 ]
                          edge [ source 1 target 2 weight 3 label "caf&#233;" ]
                        ]
                        """);

        assertThat(source.describe().vertexProperties())
                .extracting("type")
                .containsExactly(
                        PropertyType.LONG,
                        PropertyType.DOUBLE,
                        PropertyType.STRING,
                        PropertyType.STRING);
        Recorded read = Recorded.of(source);
        assertThat(read.vertices.get(2L))
                .containsExactly(
                        Map.entry("a", "2"),
                        Map.entry("b", "0.5"),
                        Map.entry("c", "y"),
                        Map.entry("d", ""));
        assertThat(read.edgeValues).containsExactly(Map.of("label", "café"));
        assertThat(FileFormat.GML.directed(file("gml"))).isTrue();
    }

    @Test
    void readsWhatTheGeneratorWrites() throws IOException {
        for (EdgeFileFormat format :
                new EdgeFileFormat[] {EdgeFileFormat.GRAPH500, EdgeFileFormat.GRAPH500_PACKED}) {
            EdgeSource made =
                    Edges.source("kronecker", Parameters.of("scale", 8).with("weights", true));
            Path file = folder.resolve(format.title());
            EdgeHash written = new EdgeRun(made, true, 2).write(file, format, (_, _) -> {});

            EdgeSource source =
                    Edges.source(
                            format.title(),
                            Parameters.of("file", file.toString()).with("partBytes", 1000));
            EdgeHash read = new EdgeRun(source, true, 2).hash((_, _) -> {});

            assertThat(read.edgeHash()).isEqualTo(written.edgeHash());
            assertThat(read.weightHash()).isEqualTo(written.weightHash());
            assertThat(source.describe().edgeCount()).isEqualTo(written.edges());
            assertThat(source.describe().vertexCount()).isBetween(100L, 256L);
        }
    }

    @Test
    void readsBinaryEdgesThatBeginAsCompressedFilesDo() throws IOException {
        for (long first : new long[] {0x8B1F, 0x685A42}) {
            Path file = folder.resolve("edges.graph500");
            Files.write(
                    file,
                    ByteBuffer.allocate(32)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(first)
                            .putLong(1)
                            .putLong(5)
                            .putLong(5)
                            .array());
            Parameters parameters = Parameters.of("file", file.toString());

            assertThat(Recorded.of(Edges.source("graph500", parameters)).edges)
                    .containsExactly(edge(first, 1, 1), edge(5, 5, 1));
            assertThat(
                            Recorded.of(Edges.source("graph500", parameters.with("directed", true)))
                                    .edges)
                    .containsExactly(edge(first, 1, 1), edge(1, first, 1), edge(5, 5, 1));
        }
    }

    @Test
    void readsEdgesThatTheHeaderCountsTwice() throws IOException {
        EdgeSource source = source("dimacs", "p edge 9 8\ne 1 2\ne 2 3\ne 3 4\ne 4 5\n");

        assertThat(Recorded.of(source).edges).hasSize(4);
    }

    @Test
    void comparesNoWeightsThatAreLeftOut() throws IOException {
        Path file = folder.resolve("uneven.wsg");
        ByteBuffer graph = ByteBuffer.allocate(17 + 3 * 8 + 2 * 8).order(ByteOrder.LITTLE_ENDIAN);
        graph.put((byte) 0).putLong(2).putLong(2).putLong(0).putLong(1).putLong(2);
        graph.putInt(1).putInt(7).putInt(0).putInt(8);
        Files.write(file, graph.array());
        Parameters parameters = Parameters.of("file", file.toString());

        assertThatThrownBy(() -> Recorded.of(Edges.source("gap", parameters)))
                .hasMessageContaining("with another weight there");
        assertThat(Recorded.of(Edges.source("gap", parameters.with("weight", "none"))).edges)
                .containsExactly(edge(0, 1, 1));
    }

    private EdgeSource source(String format, String text) throws IOException {
        Files.writeString(folder.resolve(format), text);
        return Edges.source(format, file(format));
    }

    private Parameters file(String format) {
        return Parameters.of("file", folder.resolve(format).toString());
    }

    private static Edges.Edge edge(long source, long target, float weight) {
        return new Edges.Edge(source, target, weight);
    }
}
