package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jgrapht.Graph;
import org.jgrapht.alg.shortestpath.BFSShortestPath;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.algorithms.components.StronglyConnectedComponents;
import org.starling.algorithms.degrees.DegreeStatistics;
import org.starling.graph.BuildOptions;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;

/**
 * Algorithms on graphs that are not stored as usual: what works works alike, the rest is refused.
 */
@ExtendWith(Clusters.class)
final class RowStorageTest {
    private static final BuildOptions OUTGOING_ONLY = BuildOptions.DIRECTED.withoutIncoming();

    /** A run that a graph's storage does not allow. */
    private interface Run {
        void on(GraphSession session, String graph);
    }

    static Stream<Arguments> peersAndDirectedShapes() {
        return Stream.of(1, 3)
                .flatMap(n -> Shape.directed().stream().map(shape -> Arguments.of(n, shape)));
    }

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("peersAndDirectedShapes")
    void searchesWithoutIncomingEdges(int peers, Shape shape) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        List<Long> ids = shape.ids();
        long source = ids.get(ids.size() / 2);
        var paths = new BFSShortestPath<>(oracle).getPaths(source);
        List<Long> levels = new ArrayList<>();
        for (long id : ids) {
            double length = paths.getWeight(id);
            levels.add(length == Double.POSITIVE_INFINITY ? -1 : (long) length);
        }
        try (Lab lab = lab(peers, shape, OUTGOING_ONLY)) {
            Bfs.run(lab.session(), lab.graph(), source, true);

            assertThat(lab.integers(Bfs.LEVEL)).isEqualTo(levels);
            assertThat(degrees(lab)).isEqualTo(oracle.edgeSet().size());
            assertThat(lab.session().info(lab.graph()).incoming()).isFalse();
        }
    }

    private static long degrees(Lab lab) {
        var found = DegreeStatistics.run(lab.session(), lab.graph(), EdgeDirection.OUTGOING, true);
        return found.histogram().entrySet().stream()
                .mapToLong(entry -> entry.getKey() * entry.getValue())
                .sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void refusesWhatNeedsIncomingEdges(int peers) {
        try (Lab lab = lab(peers, Shape.hubs(100, 600, true), OUTGOING_ONLY)) {
            PageRank.Options ranks = new PageRank.Options(0.85, 2, 0, 0);
            refused(lab, "algorithms.pagerank", (s, g) -> PageRank.run(s, g, ranks, false));
            refused(lab, "algorithms.comp", (s, g) -> ConnectedComponents.run(s, g, false));
            refused(lab, "algorithms.labels", (s, g) -> LabelPropagation.run(s, g, 2, "c", false));
            refused(lab, "sssp", (s, g) -> Sssp.run(s, g, 0, Sssp.Options.DEFAULT));
            refused(lab, "betweenness", (s, g) -> Betweenness.from(0).run(s, g, 0, false));
            refused(lab, "scc", (s, g) -> StronglyConnectedComponents.run(s, g, 0, false));
            refused(
                    lab,
                    "degrees",
                    (s, g) -> DegreeStatistics.run(s, g, EdgeDirection.BOTH, false));
        }
    }

    private static void refused(Lab lab, String program, Run run) {
        assertThatThrownBy(() -> run.on(lab.session(), lab.graph()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("program ")
                .hasMessageContaining(program)
                .hasMessageContaining("needs rows of incoming edges")
                .hasMessageContaining("\"" + lab.graph() + "\"")
                .hasMessageContaining("\"incoming\": true");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void refusesWideNeighboursWhereRowsAreReadAsInts(int peers) {
        BuildOptions wide = BuildOptions.UNDIRECTED.withWideNeighbours();
        try (Lab lab = lab(peers, Shape.hubs(100, 600, false), wide)) {
            assertThat(lab.session().info(lab.graph()).neighbourBytes()).isEqualTo(8);
            tooWide(lab, "sssp", (s, g) -> Sssp.run(s, g, 0, Sssp.Options.DEFAULT));
            tooWide(lab, "betweenness", (s, g) -> Betweenness.from(0).run(s, g, 0, false));
            tooWide(lab, "triangles", (s, g) -> Triangles.run(s, g, false));
            tooWide(lab, "cliques", (s, g) -> MaximalCliques.run(s, g, 1, null, false));
            tooWide(lab, "maximum", (s, g) -> MaximumClique.run(s, g, false));
        }
        BuildOptions wideArcs = BuildOptions.DIRECTED.withWideNeighbours();
        try (Lab lab = lab(peers, Shape.hubs(100, 600, true), wideArcs)) {
            tooWide(lab, "lustering", (s, g) -> LocalClustering.run(s, g, false));
        }
    }

    private static void tooWide(Lab lab, String program, Run run) {
        assertThatThrownBy(() -> run.on(lab.session(), lab.graph()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("program ")
                .hasMessageContaining(program)
                .hasMessageContaining("reads neighbours of 4 bytes")
                .hasMessageContaining("4294967295 vertices");
    }

    private static Lab lab(int peers, Shape shape, BuildOptions options) {
        return Lab.of(
                peers,
                ListedEdges.NAME,
                ListedEdges.parameters(shape.ids(), shape.ends(), 3),
                options);
    }
}
