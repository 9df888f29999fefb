package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jgrapht.Graph;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.graph.GraphInfo;
import org.starling.graph.JobFailedException;

@ExtendWith(Clusters.class)
final class LocalClusteringTest {

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("org.starling.algorithms.Scenarios#peersAndShapes")
    void countsEdgesBetweenNeighboursAsTheDefinitionSays(int peers, Shape shape) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        List<Long> ids = shape.ids();
        Map<Long, Set<Long>> neighbours = new HashMap<>();
        Map<Long, Set<Long>> successors = new HashMap<>();
        for (long id : ids) {
            neighbours.put(id, Graphs.neighborSetOf(oracle, id));
            successors.put(id, new HashSet<>(Graphs.successorListOf(oracle, id)));
        }
        try (Lab lab = Lab.of(peers, shape)) {

            LocalClustering.Result result = LocalClustering.run(lab.session(), lab.graph(), true);

            List<Double> coefficients = lab.numbers(LocalClustering.CLUSTERING);
            double sum = 0;
            for (int ordinal = 0; ordinal < ids.size(); ordinal++) {
                double expected = coefficient(neighbours, successors, ids.get(ordinal));
                assertThat(coefficients.get(ordinal)).isCloseTo(expected, within(1e-12));
                sum += expected;
            }
            assertThat(result.average()).isCloseTo(sum / ids.size(), within(1e-12));
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("org.starling.algorithms.Scenarios#allPeersAndShapes")
    void countsEdgesBetweenNeighboursOnAnyNumberOfPeers(int peers, Shape shape) {
        countsEdgesBetweenNeighboursAsTheDefinitionSays(peers, shape);
    }

    @Test
    void givesTheSameBitsOnAnyNumberOfPeers() {
        Shape shape = Shape.hubs(600, 2_500, true);
        List<Object> results = new ArrayList<>();
        for (int peers : new int[] {1, 2, 3, 5}) {
            try (Lab lab = Lab.of(peers, shape)) {
                LocalClustering.Result result =
                        LocalClustering.run(lab.session(), lab.graph(), false);
                results.add(List.of(result, lab.numbers(LocalClustering.CLUSTERING)));
            }
        }

        assertThat(results).containsOnly(results.getFirst());
        assertThat(((LocalClustering.Result) ((List<?>) results.getFirst()).getFirst()).average())
                .isPositive();
    }

    @Test
    void checkRefusesCoefficientOfOneVertex() {
        try (Lab lab = Lab.of(2, transitive())) {
            LocalClustering.Result result = LocalClustering.run(lab.session(), lab.graph(), true);
            assertThat(result.average()).isEqualTo(0.5);
            lab.forge(ForgedColumn.doubles(LocalClustering.CLUSTERING, List.of(0.5, 0.75, 0.25)));

            assertRefused(lab, result, "vertex 1 has another coefficient");
            lab.forge(
                    ForgedColumn.doubles(
                            LocalClustering.CLUSTERING, List.of(0.5, 0.5, Double.NaN)));
            assertRefused(lab, result, "vertex 2 has another coefficient");
        }
    }

    @Test
    void checkRefusesAverageThatDoesNotBelongToTheState() {
        try (Lab lab = Lab.of(2, transitive())) {
            LocalClustering.run(lab.session(), lab.graph(), true);

            assertRefused(lab, new LocalClustering.Result(0.4), "the coefficients add up to 1.5");
        }
    }

    private static Shape transitive() {
        return Shape.path(3, true).edge(0, 2);
    }

    private static void assertRefused(Lab lab, LocalClustering.Result result, String reason) {
        GraphInfo info = lab.session().info(lab.graph());
        assertThatThrownBy(() -> LocalClustering.verify(lab.session(), info, result))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("clustering of graph \"" + lab.graph() + "\"")
                .hasMessageContaining(reason);
    }

    private static double coefficient(
            Map<Long, Set<Long>> neighbours, Map<Long, Set<Long>> successors, long v) {
        Set<Long> around = Objects.requireNonNull(neighbours.get(v));
        int k = around.size();
        if (k < 2) {
            return 0;
        }
        // in an undirected graph each of two ends is the successor of the other
        long arcs =
                around.stream()
                        .flatMap(u -> Objects.requireNonNull(successors.get(u)).stream())
                        .filter(around::contains)
                        .count();
        return (double) arcs / ((long) k * (k - 1));
    }
}
