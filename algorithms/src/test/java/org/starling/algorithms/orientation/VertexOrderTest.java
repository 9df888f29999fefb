package org.starling.algorithms.orientation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VertexOrderTest {
    private static final long SEED = Long.getLong("starling.test.seed", 11L);

    @Test
    void putsHighDegreesFirstAndThenSmallOrdinals() {
        ArrayGraph graph =
                ArrayGraph.of(5, List.of(new int[] {3, 0}, new int[] {3, 1}, new int[] {1, 4}));

        VertexOrder order = VertexOrder.byDegree(graph, 5);

        assertThat(ordinals(order)).containsExactly(1, 3, 0, 4, 2);
    }

    @Test
    void takesRanksAndOrdinalsToEachOther() {
        Shapes.assortment(SEED)
                .forEach((name, graph) -> {
                    VertexOrder degree = VertexOrder.byDegree(graph, graph.vertices());
                    VertexOrder core = VertexOrder.byDegeneracy(graph, graph.vertices());
                    for (int rank = 0; rank < graph.vertices(); rank++) {
                        assertThat(degree.rank(degree.ordinal(rank))).as(name).isEqualTo(rank);
                        assertThat(core.rank(core.ordinal(rank))).as(name).isEqualTo(rank);
                    }
                });
    }

    @Test
    void keepsNoMoreSmallerNeighboursThanTheCoreNumber() {
        Shapes.assortment(SEED)
                .forEach((name, graph) -> {
                    int[] cores = coreNumbers(graph);

                    VertexOrder order = VertexOrder.byDegeneracy(graph, graph.vertices());

                    for (int rank = 0; rank < graph.vertices(); rank++) {
                        assertThat(smallerNeighbours(graph, order, rank))
                                .as("%s, rank %d, seed %d", name, rank, SEED)
                                .isLessThanOrEqualTo(cores[order.ordinal(rank)]);
                    }
                });
    }

    @Test
    void putsInnerCoresFirst() {
        ArrayGraph graph = Shapes.skewed(300, 2000, SEED);
        int[] cores = coreNumbers(graph);

        VertexOrder order = VertexOrder.byDegeneracy(graph, graph.vertices());

        for (int rank = 1; rank < graph.vertices(); rank++) {
            assertThat(cores[order.ordinal(rank)])
                    .as("rank %d, seed %d", rank, SEED)
                    .isLessThanOrEqualTo(cores[order.ordinal(rank - 1)]);
        }
    }

    private static int smallerNeighbours(ArrayGraph graph, VertexOrder order, int rank) {
        int count = 0;
        for (int index = 0; index < graph.degree(order.ordinal(rank)); index++) {
            int other = (int) graph.neighbour(order.ordinal(rank), index);
            count += order.rank(other) < rank ? 1 : 0;
        }
        return count;
    }

    /** The largest k at which each vertex survives when vertices of degree below k go. */
    private static int[] coreNumbers(ArrayGraph graph) {
        int[] cores = new int[graph.vertices()];
        Set<Integer> left = new HashSet<>();
        for (int vertex = 0; vertex < cores.length; vertex++) {
            left.add(vertex);
        }
        for (int k = 1; !left.isEmpty(); k++) {
            int least = k;
            List<Integer> doomed;
            do {
                doomed = left.stream().filter(v -> degreeWithin(graph, v, left) < least).toList();
            } while (left.removeAll(doomed));
            for (int vertex : left) {
                cores[vertex] = k;
            }
        }
        return cores;
    }

    private static long degreeWithin(ArrayGraph graph, int vertex, Set<Integer> left) {
        return left.stream().filter(other -> graph.contains(vertex, other)).count();
    }

    private static int[] ordinals(VertexOrder order) {
        int[] ordinals = new int[order.size()];
        for (int rank = 0; rank < ordinals.length; rank++) {
            ordinals[rank] = order.ordinal(rank);
        }
        return ordinals;
    }
}
