package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jgrapht.Graph;
import org.jgrapht.Graphs;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

@ExtendWith(Clusters.class)
final class PageRankTest {
    private static final PageRank.Options CONVERGED = new PageRank.Options(0.85, 0, 1e-12, 3);

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#peersAndShapes",
        "org.starling.algorithms.Scenarios#peersAndWideShapes"
    })
    void convergesToRanksOfOracle(int peers, Shape shape) {
        try (Lab lab = Lab.of(peers, shape)) {

            PageRank.Result result = PageRank.run(lab.session(), lab.graph(), CONVERGED, true);

            List<Double> ranks = lab.numbers(PageRank.PAGERANK);
            assertClose(ranks, sweeps(shape, 0.85, 300), 1e-11);
            assertThat(result.sum()).isCloseTo(1, within(1e-11));
            assertThat(result.iterations()).isBetween(1, 175);
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#allPeersAndShapes",
        "org.starling.algorithms.Scenarios#allPeersAndWideShapes"
    })
    void convergesToRanksOnAnyNumberOfPeers(int peers, Shape shape) {
        convergesToRanksOfOracle(peers, shape);
    }

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("org.starling.algorithms.Scenarios#peersAndDirectedShapes")
    void agreesWithJGraphT(int peers, Shape shape) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        var scores = new org.jgrapht.alg.scoring.PageRank<>(oracle, 0.85, 1000, 1e-13).getScores();
        List<Double> expected = shape.ids().stream().map(scores::get).toList();
        try (Lab lab = Lab.of(peers, shape)) {

            PageRank.run(lab.session(), lab.graph(), CONVERGED, false);

            assertClose(lab.numbers(PageRank.PAGERANK), expected, 1e-9);
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource("org.starling.algorithms.Scenarios#allPeersAndDirectedShapes")
    void agreesWithJGraphTOnAnyNumberOfPeers(int peers, Shape shape) {
        agreesWithJGraphT(peers, shape);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 20})
    void makesAsManySweepsAsAskedFor(int iterations) {
        Shape shape = Shape.hubs(300, 900, true);
        try (Lab lab = Lab.of(2, shape)) {
            PageRank.Options options = new PageRank.Options(0.9, iterations, 0, 0);

            PageRank.Result result = PageRank.run(lab.session(), lab.graph(), options, true);

            assertThat(result.iterations()).isEqualTo(iterations);
            assertThat(result.top()).isEmpty();
            assertClose(lab.numbers(PageRank.PAGERANK), sweeps(shape, 0.9, iterations), 1e-13);
        }
    }

    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Scenarios#peers")
    void givesSameRanksForAnyNumberOfPeers(int peers) {
        Shape shape = Shape.hubs(600, 3000, false);
        List<Double> alone;
        try (Lab lab = Lab.of(1, shape)) {
            PageRank.run(lab.session(), lab.graph(), CONVERGED, false);
            alone = lab.numbers(PageRank.PAGERANK);
        }
        try (Lab lab = Lab.of(peers, shape)) {

            PageRank.run(lab.session(), lab.graph(), CONVERGED, false);

            assertClose(lab.numbers(PageRank.PAGERANK), alone, 1e-15);
        }
    }

    @Test
    void listsBestVerticesAndPrefersSmallerIdsAmongEqualOnes() {
        try (Lab lab = Lab.of(2, Shape.star(500, 600, false))) {
            PageRank.Options options = new PageRank.Options(0.85, 0, 1e-12, 4);

            PageRank.Result result = PageRank.run(lab.session(), lab.graph(), options, false);

            assertThat(result.top()).extracting(Score::id).containsExactly(500L, 0L, 1L, 2L);
            assertThat(result.top().get(0).score()).isGreaterThan(0.4);
        }
    }

    @Test
    void refusesOptionsThatMakeNoSense() {
        assertThatThrownBy(() -> new PageRank.Options(1, 10, 0, 0))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("PageRank: \"damping\" is 1.0, must be from 0 to below 1");
        assertThatThrownBy(() -> new PageRank.Options(Double.NaN, 10, 0, 0))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> new PageRank.Options(0.85, -1, 1e-9, 0))
                .hasMessageContaining("\"iterations\" is -1");
        assertThatThrownBy(() -> new PageRank.Options(0.85, 0, 1e-17, 0))
                .hasMessageContaining("\"tolerance\" is 1.0E-17");
        assertThatThrownBy(() -> new PageRank.Options(0.85, 10, 0, -1))
                .hasMessageContaining("\"top\" is -1");
    }

    @Test
    void checkRefusesRanksThatHaveBeenSwapped() {
        assertRefused(
                ranks -> Collections.swap(ranks, 0, ranks.size() - 1), "one more sweep changes");
    }

    @Test
    void checkRefusesRanksThatDoNotAddUpToOne() {
        assertRefused(ranks -> ranks.set(0, ranks.get(0) + 1e-6), "add up to");
        assertRefused(ranks -> ranks.set(1, Double.POSITIVE_INFINITY), "add up to");
    }

    @Test
    void checkRefusesRankThatIsTooSmallOrNoNumber() {
        assertRefused(
                ranks -> {
                    ranks.set(0, ranks.get(0) + ranks.get(7));
                    ranks.set(7, 0d);
                },
                "vertex 7 has a rank below");
        assertRefused(ranks -> ranks.set(3, Double.NaN), "vertex 3 has a rank below");
    }

    @Test
    void checkRefusesLastChangeThatIsTooLargeForSoManySweeps() {
        try (Lab lab = Lab.of(2, Shape.grid(40, 25))) {
            PageRank.run(lab.session(), lab.graph(), CONVERGED, true);

            assertThatThrownBy(
                            () -> PageRankCheck.require(lab.session(), lab.graph(), 0.85, 100, 0.1))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("sweep 100 changed 0.1");
        }
    }

    @FunctionalInterface
    private interface Forgery {
        void apply(List<Double> ranks);
    }

    private static void assertRefused(Forgery forgery, String reason) {
        try (Lab lab = Lab.of(2, Shape.hubs(300, 900, true))) {
            PageRank.run(lab.session(), lab.graph(), CONVERGED, true);
            List<Double> ranks = lab.numbers(PageRank.PAGERANK);
            forgery.apply(ranks);
            lab.forge(ForgedColumn.doubles(PageRank.PAGERANK, ranks));

            assertThatThrownBy(() ->
                            PageRankCheck.require(lab.session(), lab.graph(), 0.85, 100, 1e-12))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("PageRank of graph")
                    .hasMessageContaining(reason);
        }
    }

    /** Power iteration by the book, from equal ranks. */
    private static List<Double> sweeps(Shape shape, double damping, int sweeps) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        List<Long> ids = shape.ids();
        int n = ids.size();
        List<List<Integer>> successors = new ArrayList<>();
        for (long id : ids) {
            successors.add(
                    Graphs.successorListOf(oracle, id).stream()
                            .map(other -> Collections.binarySearch(ids, other))
                            .toList());
        }
        List<Double> ranks = Collections.nCopies(n, 1d / n);
        for (int sweep = 0; sweep < sweeps; sweep++) {
            double[] next = new double[n];
            double spread = 1 - damping;
            for (int v = 0; v < n; v++) {
                List<Integer> row = successors.get(v);
                if (row.isEmpty()) {
                    spread += damping * ranks.get(v);
                }
                for (int u : row) {
                    next[u] += damping * ranks.get(v) / row.size();
                }
            }
            List<Double> all = new ArrayList<>();
            for (double rank : next) {
                all.add(rank + spread / n);
            }
            ranks = all;
        }
        return ranks;
    }

    private static void assertClose(List<Double> actual, List<Double> expected, double tolerance) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int v = 0; v < actual.size(); v++) {
            assertThat(actual.get(v))
                    .as("rank of ordinal %d", v)
                    .isCloseTo(expected.get(v), within(tolerance));
        }
    }
}
