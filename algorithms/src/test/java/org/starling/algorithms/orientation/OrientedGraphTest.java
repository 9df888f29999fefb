package org.starling.algorithms.orientation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.graph.GraphInfo;
import org.starling.graph.InvalidInputException;

@Timeout(60)
class OrientedGraphTest {
    private static final long SEED = Long.getLong("starling.test.seed", 12L);

    @Test
    void keepsEachEdgeOnceTowardsTheSmallerRank() {
        Shapes.assortment(SEED)
                .forEach((name, graph) -> {
                    OrientedGraph oriented = byDegree(graph);

                    long edges = 0;
                    for (int rank = 0; rank < oriented.vertices(); rank++) {
                        int before = -1;
                        for (int neighbour : row(oriented, rank)) {
                            assertThat(neighbour)
                                    .as("%s, seed %d", name, SEED)
                                    .isBetween(before + 1, rank - 1);
                            assertThat(isEdge(graph, oriented, rank, neighbour)).isTrue();
                            before = neighbour;
                            edges++;
                        }
                    }
                    assertThat(edges).as(name).isEqualTo(graph.edges());
                });
    }

    @Test
    void turnsEveryEdgeRound() {
        OrientedGraph smaller = byDegree(Shapes.skewed(200, 900, SEED));

        OrientedGraph larger = smaller.reversed();

        for (int rank = 0; rank < smaller.vertices(); rank++) {
            List<Integer> expected = new ArrayList<>();
            for (int other = 0; other < smaller.vertices(); other++) {
                if (row(smaller, other).contains(rank)) {
                    expected.add(other);
                }
            }
            assertThat(row(larger, rank)).as("seed %d", SEED).isEqualTo(expected);
            assertThat(larger.degree(rank)).isEqualTo(expected.size());
        }
    }

    @Test
    void keepsAtMostTheRootOfTwiceTheEdgesAtEachVertex() {
        ArrayGraph graph = Shapes.skewed(2000, 20_000, SEED);

        OrientedGraph oriented = byDegree(graph);

        assertThat(oriented.largestDegree())
                .isPositive()
                .isLessThanOrEqualTo((int) Math.sqrt(2.0 * graph.edges()));
    }

    @Test
    void refusesGraphsThatDoNotFitIntoOneArray() {
        long tooMany = OrientedGraph.MAX_SIZE + 1L;

        assertThatThrownBy(() -> OrientedGraph.requireFits(info(tooMany, 1), "counting"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("\"g\"")
                .hasMessageContaining("counting");
        assertThatThrownBy(() -> OrientedGraph.requireFits(info(1, tooMany), "counting"))
                .isInstanceOf(InvalidInputException.class);
        assertThatNoException()
                .isThrownBy(() ->
                        OrientedGraph.requireFits(info(tooMany - 1, tooMany - 1), "counting"));
    }

    private static GraphInfo info(long vertices, long edges) {
        return new GraphInfo("g", vertices, edges, false, false, true, 4, 1);
    }

    private static OrientedGraph byDegree(ArrayGraph graph) {
        return OrientedGraph.towardsSmaller(graph, VertexOrder.byDegree(graph, graph.vertices()));
    }

    private static boolean isEdge(ArrayGraph graph, OrientedGraph oriented, int left, int right) {
        return graph.contains(oriented.order().ordinal(left), oriented.order().ordinal(right));
    }

    private static List<Integer> row(OrientedGraph graph, int rank) {
        List<Integer> row = new ArrayList<>();
        for (int index = graph.begin(rank); index < graph.end(rank); index++) {
            row.add(graph.neighbour(index));
        }
        return row;
    }
}
