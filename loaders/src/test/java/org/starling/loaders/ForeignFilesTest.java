package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.Parameters;
import org.starling.graph.SourceDescription;

/**
 * One undirected and one directed graph of 40 vertices and 100 edges, as NetworkX 3.6, igraph 1.0,
 * SciPy 1.17, the converters of GAP and of Ligra wrote them, against NetworkX' list of their edges.
 */
final class ForeignFilesTest {

    @ParameterizedTest
    @CsvSource({
        "mtx, -scipy.mtx, 1",
        "graphml, -networkx.graphml, 0",
        "graphml, -igraph.graphml, 0",
        "gml, -networkx.gml, 0",
        "gml, -igraph.gml, 0",
        "gap, -gapbs.wsg, 0"
    })
    void readsTheSameEdgesAndWeights(String format, String name, long firstId) throws Exception {
        for (String graph : new String[] {"undirected", "directed"}) {
            boolean directed = graph.equals("directed");
            Parameters file = Parameters.of("file", file(graph + name)).with("directed", directed);

            SourceDescription described = Edges.source(format, file).describe();
            Recorded read = Recorded.of(Edges.source(format, file));

            assertThat(FileFormat.named(format).directed(file)).isEqualTo(directed);
            assertThat(described.vertexCount()).isEqualTo(40);
            assertThat(described.edgeCount()).isEqualTo(100);
            assertThat(described.weighted()).isTrue();
            assertThat(read.edges).hasSize(100);
            assertThat(read.hash(firstId, directed)).isEqualTo(expected(graph, directed, false));
        }
    }

    @ParameterizedTest
    @CsvSource({"gap, -gapbs.sg", "ligra, -ligra.adj"})
    void readsTheSameEdgesWhereThereAreNoWeights(String format, String name) throws Exception {
        for (String graph : new String[] {"undirected", "directed"}) {
            boolean directed = graph.equals("directed");
            Parameters file = Parameters.of("file", file(graph + name));

            Recorded read = Recorded.of(Edges.source(format, file));

            assertThat(Edges.source(format, file).describe().weighted()).isFalse();
            if (format.equals("ligra") && !directed) {
                assertThat(read.edges).hasSize(200); // such a file says each edge twice
                read.edges.removeIf(edge -> edge.source() > edge.target());
            }
            assertThat(read.hash(0, directed)).isEqualTo(expected(graph, directed, true));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "mtx, undirected-scipy.mtx",
        "graphml, undirected-networkx.graphml",
        "gml, undirected-igraph.gml",
        "gap, undirected-gapbs.wsg"
    })
    void givesUndirectedEdgesBothWaysToADirectedGraph(String format, String name) throws Exception {
        Parameters file = Parameters.of("file", file(name)).with("directed", true);

        Recorded read = Recorded.of(Edges.source(format, file));

        assertThat(read.edges).hasSize(200);
        assertThat(Edges.source(format, file).describe().edgeCount()).isEqualTo(200);
        assertThat(read.edges)
                .allSatisfy(edge ->
                        assertThat(read.edges)
                                .anyMatch(back ->
                                        back.source() == edge.target()
                                                && back.target() == edge.source()
                                                && back.weight() == edge.weight()));
    }

    @ParameterizedTest
    @CsvSource({
        "graphml, networkx.graphml",
        "graphml, igraph.graphml",
        "gml, networkx.gml",
        "gml, igraph.gml"
    })
    void readsAttributesAsProperties(String format, String name) throws Exception {
        Parameters file = Parameters.of("file", file("directed-" + name)).with("directed", true);

        SourceDescription described = Edges.source(format, file).describe();
        Recorded read = Recorded.of(Edges.source(format, file));

        assertThat(described.vertexProperties()).extracting("name").contains("name", "score");
        assertThat(described.edgeProperties())
                .extracting("name")
                .containsExactlyInAnyOrder("length", "good");
        assertThat(read.vertices).hasSize(40);
        Map<String, String> third = read.vertices.get(3L);
        assertThat(third).containsEntry("score", "0.75");
        assertThat(Objects.requireNonNull(third).get("name")).isEqualTo("vertex 3 & <é>");
        assertThat(read.edgeValues)
                .allSatisfy(values -> assertThat(values.get("good")).isIn("0", "1"))
                .allSatisfy(values ->
                        assertThat(Double.parseDouble(values.get("length"))).isBetween(0.25, 25.0));
    }

    @Test
    void leavesWeightsOutIfThatIsWanted() throws Exception {
        for (String name :
                new String[] {"scipy.mtx", "networkx.graphml", "igraph.gml", "gapbs.wsg"}) {
            String format =
                    switch (name) {
                        case "scipy.mtx" -> "mtx";
                        case "networkx.graphml" -> "graphml";
                        case "igraph.gml" -> "gml";
                        default -> "gap";
                    };
            Parameters file =
                    Parameters.of("file", file("undirected-" + name)).with("weight", "none");

            assertThat(Edges.source(format, file).describe().weighted()).isFalse();
            assertThat(Recorded.of(Edges.source(format, file)).edges)
                    .allSatisfy(edge -> assertThat(edge.weight()).isEqualTo(1f));
        }
    }

    @Test
    void takesAnotherAttributeForTheWeight() throws Exception {
        Parameters file =
                Parameters.of("file", file("undirected-networkx.graphml")).with("weight", "length");

        SourceDescription described = Edges.source("graphml", file).describe();

        assertThat(described.weighted()).isTrue();
        assertThat(described.edgeProperties()).extracting("name").contains("weight");
        assertThat(Recorded.of(Edges.source("graphml", file)).edges)
                .anySatisfy(edge -> assertThat(edge.weight() % 1).isEqualTo(0.25f));
    }

    @Test
    void readsSerializedGraphsInParts() throws Exception {
        for (String graph : new String[] {"undirected", "directed"}) {
            for (long bytes : new long[] {1, 8, 24, 100, 799}) {
                Parameters file =
                        Parameters.of("file", file(graph + "-gapbs.wsg")).with("partBytes", bytes);
                boolean directed = graph.equals("directed");

                Recorded read = Recorded.of(Edges.source("gap", file));

                assertThat(read.hash(0, directed)).isEqualTo(expected(graph, directed, false));
            }
        }
    }

    private static long expected(String graph, boolean directed, boolean plain) throws Exception {
        Parameters list = Parameters.of("file", file(graph + ".wel"));
        return Recorded.of(Edges.source("edgelist", plain ? list.with("weight", "none") : list))
                .hash(0, directed);
    }

    private static String file(String name) throws IOException, URISyntaxException {
        return Path.of(
                        Objects.requireNonNull(
                                        ForeignFilesTest.class.getResource("/foreign/" + name),
                                        name)
                                .toURI())
                .toString();
    }
}
