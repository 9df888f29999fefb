package org.starling.algorithms.cliques;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.algorithms.orientation.ArrayGraph;
import org.starling.algorithms.orientation.Shapes;
import org.starling.algorithms.orientation.VertexOrder;

@Timeout(60)
class CliqueCollectorTest {
    private static final long SEED = Long.getLong("starling.test.seed", 51L);

    private final long[] counts = new long[8];

    @Test
    void handsAllCountsToTheHistogram() {
        CliqueCollector collector = collector(null);

        for (int clique = 0; clique < CliqueCollector.FLUSH_CLIQUES + 10; clique++) {
            collector.clique(new int[] {0, 1, 2}, 3);
        }
        assertThat(counts[3]).as("on the way").isEqualTo(CliqueCollector.FLUSH_CLIQUES);
        collector.clique(new int[] {0, 1}, 2);
        collector.flush();

        assertThat(counts[3]).isEqualTo(CliqueCollector.FLUSH_CLIQUES + 10);
        assertThat(counts[2]).isEqualTo(1);
        assertThat(collector.found()).isEqualTo(CliqueCollector.FLUSH_CLIQUES + 11);
    }

    @Test
    void noticesSetsThatAreNoMaximalCliques() {
        ArrayGraph graph = Shapes.multipartite(3, 40);
        VertexOrder order = VertexOrder.byDegeneracy(graph, graph.vertices());
        CliqueCollector right = collector(new CliqueCheck(graph, order, 1, SEED));
        CliqueCollector wrong = collector(new CliqueCheck(graph, order, 1, SEED));

        for (int a = 0; a < 40; a++) {
            for (int b = 40; b < 80; b++) {
                int first = order.rank(a);
                int second = order.rank(b);
                wrong.clique(new int[] {first, second}, 2);
                right.clique(new int[] {first, second, order.rank(119)}, 3);
            }
        }

        assertThat(wrong.wrong()).as("all are checked in so small a graph").isEqualTo(1600);
        assertThat(right.wrong()).isZero();
    }

    private CliqueCollector collector(@Nullable CliqueCheck check) {
        return new CliqueCollector((bucket, count) -> counts[bucket] += count, 7, null, check);
    }
}
