package org.starling.algorithms.cliques;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.algorithms.orientation.ArrayGraph;
import org.starling.algorithms.orientation.Shapes;

@Timeout(60)
class CliqueKernelTest {
    private static final long SEED = Long.getLong("starling.test.seed", 21L);
    private static final int SEEDS = 4;

    @Test
    void findsWhatTheOracleFindsInGraphsOfManyShapes() {
        assertFindsWhatTheOracleFinds(SEED);
    }

    @Tag("slow")
    @Test
    void findsWhatTheOracleFindsInMoreGraphs() {
        for (long seed = SEED + 1; seed < SEED + SEEDS; seed++) {
            assertFindsWhatTheOracleFinds(seed);
        }
    }

    private static void assertFindsWhatTheOracleFinds(long seed) {
        Shapes.assortment(seed)
                .forEach((name, graph) ->
                        assertThat(Cliques.byKernel(graph, 1))
                                .as("%s, seed %d", name, seed)
                                .isEqualTo(Cliques.byOracle(graph)));
    }

    @Test
    void leavesOutSmallCliquesOnly() {
        Shapes.assortment(SEED)
                .forEach((name, graph) -> {
                    List<List<Integer>> all = Cliques.byOracle(graph);
                    for (int minimumSize = 2; minimumSize <= 9; minimumSize++) {
                        int minimum = minimumSize;
                        assertThat(Cliques.byKernel(graph, minimum))
                                .as("%s from %d on, seed %d", name, minimum, SEED)
                                .isEqualTo(
                                        all.stream()
                                                .filter(clique -> clique.size() >= minimum)
                                                .toList());
                    }
                });
    }

    @Test
    void findsTheSameWhenLongProblemsAreBrokenOffAndShared() {
        int brokenOff = 0;
        for (Map.Entry<String, ArrayGraph> shape : Shapes.assortment(SEED).entrySet()) {
            List<List<Integer>> expected = Cliques.byOracle(shape.getValue());
            for (long maxCalls : new long[] {0, 1, 5, 50}) {
                Map.Entry<Integer, List<List<Integer>>> found =
                        Cliques.byKernels(shape.getValue(), maxCalls, 3);

                assertThat(found.getValue())
                        .as("%s, %d calls, seed %d", shape.getKey(), maxCalls, SEED)
                        .isEqualTo(expected);
                brokenOff += found.getKey();
            }
        }
        assertThat(brokenOff).isGreaterThan(100);
    }

    @Test
    void findsNothingInTheEmptyGraphAndEveryIsolatedVertex() {
        assertThat(Cliques.byKernel(ArrayGraph.of(0, List.of()), 1)).isEmpty();
        assertThat(Cliques.byKernel(ArrayGraph.of(3, List.of()), 1))
                .containsExactly(List.of(0), List.of(1), List.of(2));
        assertThat(Cliques.byKernel(ArrayGraph.of(3, List.of()), 2)).isEmpty();
    }

    @Test
    void findsThreeToTheThirdOfMoonAndMoser() {
        for (int parts = 1; parts <= 9; parts++) {
            List<List<Integer>> found = Cliques.byKernel(Shapes.multipartite(parts, 3), 1);

            assertThat(found).hasSize((int) Math.pow(3, parts)).doesNotHaveDuplicates();
            int size = parts;
            assertThat(found).allSatisfy(clique -> assertThat(clique).hasSize(size));
        }
    }

    @Test
    void findsTheLinesOfHammingGraphs() {
        assertThat(Cliques.byKernel(Shapes.hamming(3, 4), 1))
                .hasSize(3 * 4 * 4)
                .allSatisfy(clique -> assertThat(clique).hasSize(4));
        assertThat(Cliques.byKernel(Shapes.hamming(6, 2), 1)).hasSize(6 * 32);
        assertThat(Cliques.byKernel(Shapes.hamming(2, 70), 1)).hasSize(2 * 70);
    }

    @Test
    void findsBothKindsOfCliquesOfJohnsonGraphs() {
        List<List<Integer>> found = Cliques.byKernel(Shapes.johnson(8, 3), 1);

        // C(8,2) of size 6: all supersets of two elements; C(8,4) of size 4: all subsets of four.
        assertThat(found).hasSize(28 + 70);
        assertThat(found.stream().filter(clique -> clique.size() == 6)).hasSize(28);
        assertThat(found.stream().filter(clique -> clique.size() == 4)).hasSize(70);
    }

    @Test
    void findsOneCliqueInCompleteGraphsAroundTheWidthOfAWord() {
        for (int vertices : new int[] {1, 2, 63, 64, 65, 66, 128, 129, 130, 300}) {
            assertThat(Cliques.byKernel(Shapes.complete(vertices), 1))
                    .as("%d vertices", vertices)
                    .singleElement()
                    .satisfies(clique -> assertThat(clique).hasSize(vertices));
        }
    }

    @Test
    void findsEveryEdgeOfBipartiteGraphsWiderThanAWord() {
        assertThat(Cliques.byKernel(Shapes.multipartite(2, 100), 1)).hasSize(100 * 100);
        assertThat(Cliques.byKernel(Shapes.star(1000), 1)).hasSize(1000);
    }

    @Test
    void findsTheCliquesOfCocktailPartiesWiderThanAWord() {
        // A complete graph of 150 vertices without ten disjoint edges: 2^10 cliques of 140.
        List<int[]> missing = new ArrayList<>();
        for (int pair = 0; pair < 10; pair++) {
            missing.add(new int[] {15 * pair, 15 * pair + 7});
        }

        List<List<Integer>> found =
                Cliques.byKernel(Shapes.complement(ArrayGraph.of(150, missing)), 1);

        assertThat(found).hasSize(1 << 10).doesNotHaveDuplicates();
        assertThat(found).allSatisfy(clique -> assertThat(clique).hasSize(140));
    }

    @Test
    void findsOneHalfOfEachMissingBlockWiderThanAWord() {
        ArrayGraph graph = Shapes.withoutBlocks(5, 30, SEED);

        assertThat(Cliques.byKernel(graph, 1))
                .as("seed %d", SEED)
                .hasSize(1 << 5)
                .doesNotHaveDuplicates()
                .isEqualTo(Cliques.byOracle(graph));
    }
}
