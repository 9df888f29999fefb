package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jgrapht.Graph;
import org.jgrapht.GraphMetrics;
import org.jgrapht.alg.scoring.ClusteringCoefficient;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.algorithms.triangles.TrianglesProgram;
import org.starling.graph.GraphInfo;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

@Timeout(60)
@ExtendWith(Clusters.class)
final class TrianglesTest {
    private static final Shape KNOWN = Shape.cliques(9, 8);
    private static final Triangles.Result KNOWN_RESULT = new Triangles.Result(9 * 56, 1.0);

    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Scenarios#peersAndUndirectedShapes")
    void findsCountsAndCoefficientsOfOracle(int peers, Shape shape) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        ClusteringCoefficient<Long, DefaultEdge> clustering = new ClusteringCoefficient<>(oracle);
        try (Lab lab = Lab.of(peers, shape)) {

            Triangles.Result result = Triangles.run(lab.session(), lab.graph(), true);

            List<Long> ids = shape.ids();
            List<Long> counts = lab.integers(TrianglesProgram.TRIANGLES);
            List<Double> coefficients = lab.numbers(TrianglesProgram.CLUSTERING);
            double sum = 0;
            for (int ordinal = 0; ordinal < ids.size(); ordinal++) {
                double expected = coefficient(clustering, ids.get(ordinal));
                int degree = oracle.degreeOf(ids.get(ordinal));
                assertThat(coefficients.get(ordinal)).isCloseTo(expected, within(1e-12));
                assertThat((double) counts.get(ordinal))
                        .isCloseTo(expected * degree * (degree - 1) / 2, within(1e-6));
                sum += expected;
            }
            assertThat(result.triangles()).isEqualTo(GraphMetrics.getNumberOfTriangles(oracle));
            assertThat(result.averageLocalClustering()).isCloseTo(sum / ids.size(), within(1e-12));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Scenarios#allPeersAndUndirectedShapes")
    void findsCountsAndCoefficientsOnAnyNumberOfPeers(int peers, Shape shape) {
        findsCountsAndCoefficientsOfOracle(peers, shape);
    }

    @ParameterizedTest
    @CsvSource({
        "karate.graph, 1",
        "karate.graph, 3",
        "lesmis.graph, 2",
        "jazz.graph, 1",
        "jazz.graph, 2",
        "power.graph, 3",
        "PGPgiantcompo.graph, 2",
        "astro-ph.graph, 1",
        "astro-ph.graph, 2",
        "wiki-Vote.txt, 1",
        "wiki-Vote.txt, 3"
    })
    void findsFiguresOfReferenceGraphs(String name, int peers) throws IOException {
        ReferenceFigures figures = ReferenceFigures.of(name);
        try (Lab lab = figures.lab(peers)) {

            Triangles.Result result = Triangles.run(lab.session(), lab.graph(), true);

            assertThat(result.triangles()).isEqualTo(figures.integer("triangles"));
            assertThat(result.averageLocalClustering())
                    .isCloseTo(figures.number("average_lcc"), within(1e-9));
        }
    }

    @Test
    void refusesDirectedGraph() {
        try (Lab lab = Lab.of(1, Shape.path(3, true))) {
            assertThatThrownBy(() -> Triangles.run(lab.session(), lab.graph(), false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("is directed, but triangle counting works on undirected");
        }
    }

    @Test
    void checkAcceptsWhatWasFound() {
        try (Lab lab = Lab.of(2, KNOWN)) {
            Triangles.Result result = Triangles.run(lab.session(), lab.graph(), false);

            assertThat(result).isEqualTo(KNOWN_RESULT);
            assertThatNoException()
                    .isThrownBy(() -> Triangles.verify(lab.session(), info(lab), result));
        }
    }

    @Test
    void checkRefusesCountOfOneVertex() {
        try (Lab lab = Lab.of(2, KNOWN)) {
            Triangles.run(lab.session(), lab.graph(), false);
            List<Long> counts = new ArrayList<>(lab.integers(TrianglesProgram.TRIANGLES));
            counts.set(40, counts.get(40) + 1);
            lab.forge(ForgedColumn.longs(TrianglesProgram.TRIANGLES, counts));

            assertRefused(lab, KNOWN_RESULT, "vertex 40 has another number of triangles");
        }
    }

    @Test
    void checkRefusesCoefficientOfOneVertex() {
        try (Lab lab = Lab.of(2, KNOWN)) {
            Triangles.run(lab.session(), lab.graph(), false);
            List<Double> coefficients = new ArrayList<>(lab.numbers(TrianglesProgram.CLUSTERING));
            coefficients.set(3, 0.99);
            lab.forge(ForgedColumn.doubles(TrianglesProgram.CLUSTERING, coefficients));

            assertRefused(lab, KNOWN_RESULT, "vertex 3 has another number of triangles or another");
        }
    }

    @Test
    void checkRefusesSumsThatDoNotBelongToTheStates() {
        try (Lab lab = Lab.of(2, KNOWN)) {
            Triangles.run(lab.session(), lab.graph(), false);

            assertRefused(
                    lab, new Triangles.Result(505, 1.0), "add up to 1512, not to three times");
            assertRefused(
                    lab, new Triangles.Result(504, 0.9), "the clustering coefficients add up");
        }
    }

    private static void assertRefused(Lab lab, Triangles.Result result, String reason) {
        assertThatThrownBy(() -> Triangles.verify(lab.session(), info(lab), result))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("triangles of graph \"" + lab.graph() + "\"")
                .hasMessageContaining(reason);
    }

    private static GraphInfo info(Lab lab) {
        return lab.session().info(lab.graph());
    }

    private static double coefficient(
            ClusteringCoefficient<Long, DefaultEdge> clustering, long id) {
        double value = clustering.getVertexScore(id);
        return Double.isNaN(value) ? 0 : value;
    }
}
