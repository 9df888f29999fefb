package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jgrapht.alg.scoring.Coreness;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

@ExtendWith(Clusters.class)
final class KCoreTest {

    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#peersAndUndirectedShapes",
        "org.starling.algorithms.Scenarios#peersAndWideUndirectedShapes"
    })
    void findsCoreNumbersOfOracle(int peers, Shape shape) {
        Coreness<Long, DefaultEdge> oracle = new Coreness<>(shape.oracle());
        List<Long> expected =
                shape.ids().stream().map(id -> (long) oracle.getVertexScore(id)).toList();
        try (Lab lab = Lab.of(peers, shape)) {

            KCore.Result result = KCore.run(lab.session(), lab.graph(), true);

            long maxCore = Collections.max(expected);
            assertThat(lab.integers(KCore.CORE)).isEqualTo(expected);
            assertThat(result.maxCore()).isEqualTo(maxCore);
            assertThat(result.inMaxCore()).isEqualTo(Collections.frequency(expected, maxCore));
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{1} on {0} peers")
    @MethodSource({
        "org.starling.algorithms.Scenarios#allPeersAndUndirectedShapes",
        "org.starling.algorithms.Scenarios#allPeersAndWideUndirectedShapes"
    })
    void findsCoreNumbersOnAnyNumberOfPeers(int peers, Shape shape) {
        findsCoreNumbersOfOracle(peers, shape);
    }

    @Test
    void peelsLongPathFromItsEnds() {
        assertPeels(1_000);
    }

    @Tag("slow")
    @Test
    void peelsVeryLongPathFromItsEnds() {
        assertPeels(10_000);
    }

    private static void assertPeels(int length) {
        try (Lab lab = Lab.of(2, Shape.path(length, false))) {

            KCore.Result result = KCore.run(lab.session(), lab.graph(), true);

            assertThat(result).isEqualTo(new KCore.Result(1, length));
        }
    }

    @Test
    void risesAtOnceToNextThresholdThatRemovesSomebody() {
        try (Lab lab = Lab.of(2, Shape.cliques(1, 40))) {

            KCore.run(lab.session(), lab.graph(), false);

            assertThat(lab.integers(KCore.ROUND)).containsOnly(1L);
        }
    }

    @Test
    void refusesDirectedGraph() {
        try (Lab lab = Lab.of(1, Shape.path(3, true))) {
            assertThatThrownBy(() -> KCore.run(lab.session(), lab.graph(), false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(
                            "is directed, but k-core works on undirected graphs only");
        }
    }

    @Test
    void checkRefusesCoreNumberThatIsTooLarge() {
        assertRefused((cores, rounds) -> cores.set(3, 2L), "vertex 3 has a core number above");
    }

    @Test
    void checkRefusesCoreNumberThatIsTooSmall() {
        assertRefused((cores, rounds) -> cores.set(3, 0L), "vertex 3 has a core number below");
        assertRefused((cores, rounds) -> Collections.fill(cores, 0L), "vertex 0 has a core number");
    }

    @Test
    void checkRefusesRoundThatWouldExcuseTooSmallCoreNumber() {
        // a path of 5 with vertex 5 at its middle, which pretends to have been left behind
        Shape spider = Shape.path(5, false).edge(2, 5);

        assertRefused(
                spider,
                (cores, rounds) -> {
                    cores.set(5, 0L);
                    rounds.set(5, 1_000_000L);
                },
                "vertex 5 was peeled off after a neighbour with a larger core number");
    }

    @Test
    void checkRefusesNegativeNumbers() {
        assertRefused(
                (cores, rounds) -> {
                    Collections.fill(cores, -1L);
                    Collections.fill(rounds, -1L);
                },
                "vertex 0 has a core number below");
    }

    @FunctionalInterface
    private interface Forgery {
        void apply(List<Long> cores, List<Long> rounds);
    }

    private static void assertRefused(Forgery forgery, String reason) {
        // a triangle (core number 2) with a tail, vertex 3 (core number 1)
        assertRefused(Shape.cliques(1, 3).edge(2, 3), forgery, reason);
    }

    private static void assertRefused(Shape shape, Forgery forgery, String reason) {
        try (Lab lab = Lab.of(2, shape)) {
            KCore.run(lab.session(), lab.graph(), true);
            List<Long> cores = new ArrayList<>(lab.integers(KCore.CORE));
            List<Long> rounds = new ArrayList<>(lab.integers(KCore.ROUND));
            forgery.apply(cores, rounds);
            lab.forge(ForgedColumn.ints(KCore.CORE, cores));
            lab.forge(ForgedColumn.ints(KCore.ROUND, rounds));

            assertThatThrownBy(() -> KCoreCheck.require(lab.session(), lab.graph()))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("k-core of graph")
                    .hasMessageContaining(reason);
        }
    }
}
