package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jgrapht.Graph;
import org.jgrapht.alg.clique.PivotBronKerboschCliqueFinder;
import org.jgrapht.graph.DefaultEdge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.algorithms.cliques.MaximumProgram;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

@ExtendWith(Clusters.class)
final class MaximumCliqueTest {

    @ParameterizedTest
    @MethodSource("org.starling.algorithms.Shape#undirected")
    void findsLargestCliqueOfOracle(Shape shape) {
        Graph<Long, DefaultEdge> oracle = shape.oracle();
        try (Lab lab = Lab.of(2, shape)) {

            MaximumClique.Result result = MaximumClique.run(lab.session(), lab.graph(), true);

            assertThat(result.size()).isEqualTo(largest(oracle)).isEqualTo(result.members().size());
            assertThat(result.proven()).isTrue();
            assertThat(result.members()).isSorted().doesNotHaveDuplicates();
            for (long left : result.members()) {
                for (long right : result.members()) {
                    assertThat(left == right || oracle.containsEdge(left, right)).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void findsTheSameOneOfManyWithAnyNumberOfPeers(int peers) {
        Shape shape = Shape.random("dense random", 120, 2500, 1, false);
        try (Lab alone = Lab.of(1, shape);
                Lab many = Lab.of(peers, shape)) {
            assertThat(MaximumClique.run(many.session(), many.graph(), false))
                    .isEqualTo(MaximumClique.run(alone.session(), alone.graph(), false));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "karate.graph, 1",
        "jazz.graph, 3",
        "power.graph, 2",
        "PGPgiantcompo.graph, 2",
        "astro-ph.graph, 2",
        "wiki-Vote.txt, 3"
    })
    void findsFiguresOfReferenceGraphs(String name, int peers) throws IOException {
        ReferenceFigures figures = ReferenceFigures.of(name);
        try (Lab lab = figures.lab(peers)) {
            MaximumClique.Result result = MaximumClique.run(lab.session(), lab.graph(), true);

            assertThat(result.size()).isEqualTo((int) figures.integer("max_clique_size"));
            assertThat(result.proven()).isTrue();
        }
    }

    @Test
    void refusesDirectedGraph() {
        try (Lab lab = Lab.of(1, Shape.path(3, true))) {
            assertThatThrownBy(() -> MaximumClique.run(lab.session(), lab.graph(), false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("is directed, but maximum clique works on undirected");
        }
    }

    @Test
    void checkRefusesMembersThatAreNoCliqueOrNotAll() {
        Shape shape = Shape.cliques(1, 4);

        assertRefused(shape, List.of(1L, 1L, 1L, 0L), "vertex 3 sees all members and is none");
        assertRefused(
                shape.edge(3, 9), List.of(0L, 0L, 1L, 0L, 1L), "vertex 2 does not see all other");
    }

    @Test
    void checkRefusesCliqueThatIsNotTheLargest() {
        // a clique of 4 that no vertex extends beside one of 5, and both among others
        Shape shape = Shape.cliques(1, 4).edge(3, 4).edge(4, 5).edge(5, 6);
        for (long v = 10; v < 15; v++) {
            for (long w = 10; w < v; w++) {
                shape.edge(v, w);
            }
        }
        try (Lab lab = Lab.of(2, shape.edge(6, 10))) {
            assertThatThrownBy(() -> isLargest(lab, 4))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("belongs to a clique of more than 4 vertices");
            assertThat(isLargest(lab, 5)).isTrue();
        }
    }

    private static void assertRefused(Shape shape, List<Long> members, String reason) {
        try (Lab lab = Lab.of(2, shape)) {
            lab.forge(ForgedColumn.ints(MaximumProgram.MEMBER, members));

            assertThatThrownBy(() -> MaximumClique.check(lab.session(), lab.graph()))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("maximum clique of graph")
                    .hasMessageContaining(reason);
        }
    }

    private static boolean isLargest(Lab lab, int size) {
        return MaximumClique.isLargest(
                lab.session(), lab.graph(), size, 0, MaximumClique.CHECK_CALLS);
    }

    private static int largest(Graph<Long, DefaultEdge> oracle) {
        List<Integer> sizes = new ArrayList<>();
        for (Set<Long> clique : new PivotBronKerboschCliqueFinder<>(oracle)) {
            sizes.add(clique.size());
        }
        return Collections.max(sizes);
    }
}
