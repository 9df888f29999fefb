package org.starling.algorithms.cliques;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.algorithms.orientation.ArrayGraph;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.Shapes;
import org.starling.algorithms.orientation.VertexOrder;

@Timeout(60)
class CliqueCheckTest {
    private static final long SEED = Long.getLong("starling.test.seed", 31L);

    @Test
    void acceptsMaximalCliquesOnly() {
        // A triangle 0 1 2 with a tail 2 3.
        ArrayGraph graph =
                ArrayGraph.of(
                        5,
                        List.of(
                                new int[] {0, 1},
                                new int[] {1, 2},
                                new int[] {2, 0},
                                new int[] {2, 3}));
        VertexOrder order = VertexOrder.byDegeneracy(graph, 5);
        CliqueCheck check = new CliqueCheck(graph, order, 1, SEED);

        assertThat(accepts(check, order, 0, 1, 2)).isTrue();
        assertThat(accepts(check, order, 3, 2)).isTrue();
        assertThat(accepts(check, order, 4)).isTrue();
        assertThat(accepts(check, order, 0, 1)).as("extended by 2").isFalse();
        assertThat(accepts(check, order, 3)).as("extended by 2").isFalse();
        assertThat(accepts(check, order, 1, 2, 3)).as("no edge 1 3").isFalse();
        assertThat(accepts(check, order, 2, 4)).as("no edge 2 4").isFalse();
    }

    @Test
    void recountsWhatTheKernelFinds() {
        for (int minimumSize = 1; minimumSize < 5; minimumSize++) {
            ArrayGraph graph = Shapes.skewed(300, 1500, SEED);
            VertexOrder order = VertexOrder.byDegeneracy(graph, graph.vertices());
            OrientedGraph smaller = OrientedGraph.towardsSmaller(graph, order);
            AtomicInteger found = new AtomicInteger();
            CliqueKernel kernel =
                    new CliqueKernel(
                            smaller,
                            smaller.reversed(),
                            minimumSize,
                            (members, size) -> found.incrementAndGet());
            CliqueCheck check = new CliqueCheck(graph, order, minimumSize, SEED);

            int checked = 0;
            for (int rank = 0; rank < graph.vertices(); rank++) {
                found.set(0);
                kernel.enumerate(rank, Long.MAX_VALUE);
                if (check.takesProblem(rank)) {
                    checked++;
                    assertThat(check.recount(rank))
                            .as("rank %d, seed %d", rank, SEED)
                            .isEqualTo(found.get());
                }
            }
            assertThat(checked).isGreaterThan(graph.vertices() / 2);
        }
    }

    @Test
    void takesTheSameCliquesInWhateverOrderTheirMembersCome() {
        ArrayGraph graph = Shapes.star(64 * CliqueCheck.VERTICES_PER_STEP);
        CliqueCheck check =
                new CliqueCheck(graph, VertexOrder.byDegeneracy(graph, graph.vertices()), 1, SEED);

        int taken = 0;
        for (int left = 0; left < 50; left++) {
            for (int right = 0; right < 50; right++) {
                boolean takes = check.takesClique(new int[] {left, right}, 2);
                assertThat(check.takesClique(new int[] {right, left, 7}, 2)).isEqualTo(takes);
                taken += takes ? 1 : 0;
            }
        }
        assertThat(taken).as("of 2500, seed %d", SEED).isBetween(10, 100);
    }

    private static boolean accepts(CliqueCheck check, VertexOrder order, int... ordinals) {
        int[] ranks = new int[ordinals.length];
        for (int index = 0; index < ranks.length; index++) {
            ranks[index] = order.rank(ordinals[index]);
        }
        return check.isMaximalClique(ranks, ranks.length);
    }
}
