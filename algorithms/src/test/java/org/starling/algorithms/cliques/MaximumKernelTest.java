package org.starling.algorithms.cliques;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starling.algorithms.orientation.ArrayGraph;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.Shapes;
import org.starling.algorithms.orientation.VertexOrder;

final class MaximumKernelTest {
    private static final long SEED = Long.getLong("starling.test.seed", 33L);
    private static final int SEEDS = 4;

    @Test
    void findsLargestCliqueOfOracleInGraphsOfManyShapes() {
        assertFindsLargest(SEED);
    }

    @Tag("slow")
    @Test
    void findsLargestCliqueOfOracleInMoreGraphs() {
        for (long seed = SEED + 1; seed < SEED + SEEDS; seed++) {
            assertFindsLargest(seed);
        }
    }

    private static void assertFindsLargest(long seed) {
        Shapes.assortment(seed)
                .forEach((name, graph) -> {
                    int[] found = search(graph);
                    assertThat(found)
                            .as("%s, seed %d", name, seed)
                            .hasSize(largest(Cliques.byOracle(graph)));
                    assertClique(graph, found);
                });
    }

    @Test
    void findsKnownSizesOfMoonMoserHammingAndJohnsonGraphs() {
        assertThat(search(Shapes.multipartite(12, 3))).hasSize(12);
        assertThat(search(Shapes.multipartite(40, 3))).hasSize(40);
        assertThat(search(Shapes.hamming(3, 4))).hasSize(4);
        assertThat(search(Shapes.hamming(2, 70))).hasSize(70);
        assertThat(search(Shapes.johnson(8, 3))).hasSize(6);
        // binary words of 8 digits of distance 2 or more: half of them (DIMACS hamming8-2)
        assertThat(search(Shapes.complement(Shapes.hamming(8, 2)))).hasSize(128);
        // pairs of 16 elements without a common one: 8 of them (DIMACS johnson16-2-4)
        assertThat(search(Shapes.complement(Shapes.johnson(16, 2)))).hasSize(8);
    }

    @Test
    void takesSmallerRankFirstWhateverTheOrderOfWork() {
        ArrayGraph graph = Shapes.multipartite(6, 4);
        int[] first = search(graph);
        int[] backwards = searchBackwards(graph);

        assertThat(backwards).isEqualTo(first);
    }

    private static int[] search(ArrayGraph graph) {
        Incumbent incumbent = new Incumbent();
        MaximumKernel kernel = kernel(graph, incumbent);
        for (int rank = 0; rank < graph.vertices(); rank++) {
            kernel.search(rank, 0);
        }
        return members(graph, incumbent);
    }

    private static int[] searchBackwards(ArrayGraph graph) {
        Incumbent incumbent = new Incumbent();
        MaximumKernel kernel = kernel(graph, incumbent);
        int bound = 0;
        int[] buffer = new int[graph.vertices()];
        for (int rank = graph.vertices() - 1; rank >= 0; rank--) {
            bound = Math.max(bound, kernel.greedy(rank, buffer));
        }
        incumbent.raise(Incumbent.markOfSize(bound));
        for (int rank = graph.vertices() - 1; rank >= 0; rank--) {
            kernel.search(rank, 0);
        }
        return members(graph, incumbent);
    }

    private static MaximumKernel kernel(ArrayGraph graph, Incumbent incumbent) {
        VertexOrder order = VertexOrder.byDegeneracy(graph, graph.vertices());
        return new MaximumKernel(
                OrientedGraph.towardsSmaller(graph, order), incumbent, calls -> {});
    }

    private static int[] members(ArrayGraph graph, Incumbent incumbent) {
        VertexOrder order = VertexOrder.byDegeneracy(graph, graph.vertices());
        int[] ranks = incumbent.takeMembers();
        return ranks == null ? new int[0] : Arrays.stream(ranks).map(order::ordinal).toArray();
    }

    private static void assertClique(ArrayGraph graph, int[] members) {
        for (int left : members) {
            for (int right : members) {
                assertThat(left == right || graph.contains(left, right)).isTrue();
            }
        }
    }

    private static int largest(List<List<Integer>> cliques) {
        return cliques.stream().mapToInt(List::size).max().orElse(0);
    }
}
