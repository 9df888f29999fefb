package org.starling.algorithms.cliques;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starling.algorithms.cliques.CliqueBound.Finding;
import org.starling.algorithms.orientation.ArrayGraph;
import org.starling.algorithms.orientation.Shapes;
import org.starling.algorithms.orientation.VertexOrder;

final class CliqueBoundTest {
    private static final long SEED = Long.getLong("starling.test.seed", 71L);
    private static final long ENOUGH = 1 << 20;

    @Test
    void tellsTheLargestFromSmallerOnesInGraphsOfManyShapes() {
        Shapes.assortment(SEED)
                .forEach((name, graph) -> {
                    int largest =
                            Cliques.byOracle(graph).stream()
                                    .mapToInt(java.util.Collection::size)
                                    .max()
                                    .orElse(0);
                    assertThat(judge(graph, largest, ENOUGH))
                            .as("%s, seed %d", name, SEED)
                            .isSubsetOf(Finding.NONE_LARGER);
                    if (largest > 1) {
                        assertThat(judge(graph, largest - 1, ENOUGH))
                                .as("%s, seed %d", name, SEED)
                                .contains(Finding.LARGER);
                    }
                });
    }

    @Test
    void takesAnyOrderOfVertices() {
        ArrayGraph graph = Shapes.johnson(8, 3);
        VertexOrder byDegree = VertexOrder.byDegree(graph, graph.vertices());

        assertThat(judge(graph, byDegree, 6, ENOUGH)).containsOnly(Finding.NONE_LARGER);
        assertThat(judge(graph, byDegree, 5, ENOUGH)).contains(Finding.LARGER);
    }

    @Test
    void leavesOpenWhatWouldTakeTooLong() {
        ArrayGraph graph = Shapes.complement(Shapes.johnson(16, 2));

        assertThat(judge(graph, 8, 10)).contains(Finding.OPEN).doesNotContain(Finding.LARGER);
    }

    private static Set<Finding> judge(ArrayGraph graph, int size, long maxCalls) {
        VertexOrder order = VertexOrder.byDegeneracy(graph, graph.vertices());
        return judge(graph, order, size, maxCalls);
    }

    private static Set<Finding> judge(
            ArrayGraph graph, VertexOrder order, int size, long maxCalls) {
        CliqueBound bound = new CliqueBound(graph, order, 0, maxCalls);
        Set<Finding> findings = EnumSet.noneOf(Finding.class);
        for (int rank = 0; rank < order.size(); rank++) {
            findings.add(bound.judge(rank, size));
        }
        return findings;
    }
}
