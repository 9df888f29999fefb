package org.starling.algorithms.triangles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.algorithms.orientation.ArrayGraph;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.Shapes;
import org.starling.algorithms.orientation.VertexOrder;

@Timeout(60)
class TriangleKernelTest {
    private static final long SEED = Long.getLong("starling.test.seed", 41L);
    private static final int SEEDS = 4;

    @Test
    void countsWhatThreeLoopsCountInGraphsOfManyShapes() {
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            long current = seed;
            Shapes.assortment(seed)
                    .forEach((name, graph) ->
                            assertThat(byKernel(graph))
                                    .as("%s, seed %d", name, current)
                                    .isEqualTo(byThreeLoops(graph)));
        }
    }

    @Test
    void countsTheSameWhereMostVerticesAreNoHubs() {
        int vertices = 3 * HubMatrix.MAX_HUBS;
        ArrayGraph graph = Shapes.skewed(vertices, 200_000, SEED);

        long[] counts = byKernel(graph);

        assertThat(Arrays.stream(counts).sum()).as("seed %d", SEED).isPositive();
        for (int vertex = 0; vertex < vertices; vertex += 37) {
            assertThat(counts[vertex])
                    .as("vertex %d, seed %d", vertex, SEED)
                    .isEqualTo(byLookingUpEdges(graph, vertex));
        }
    }

    @Test
    void countsAllTriplesOfACompleteGraph() {
        assertThat(byKernel(Shapes.complete(200))).containsOnly(199L * 198 / 2).hasSize(200);
    }

    @Test
    void findsEachTriangleOnce() {
        ArrayGraph graph = Shapes.random(100, 0.3, SEED);
        TriangleIndex index = TriangleIndex.of(graph, graph.vertices());
        TriangleKernel kernel = new TriangleKernel(index.graph(), index.hubs());

        long found = IntStream.range(0, 100).mapToLong(kernel::count).sum();

        assertThat(3 * found).isEqualTo(Arrays.stream(byThreeLoops(graph)).sum());
    }

    @Test
    void startsAnewAfterHandingOut() {
        ArrayGraph graph = Shapes.complete(4);
        TriangleIndex index = TriangleIndex.of(graph, 4);
        TriangleKernel kernel = new TriangleKernel(index.graph(), index.hubs());
        kernel.count(3);
        kernel.corners().drain((rank, count) -> {});

        long[] left = new long[4];
        kernel.count(2);
        kernel.corners().drain((rank, count) -> left[rank] = count);

        assertThat(left).containsExactly(1, 1, 1, 0);
    }

    @Test
    void takesTheCoefficientOfVerticesWithoutPairsForZero() {
        assertThat(ArcClusteringProgram.coefficient(0, 0)).isZero();
        assertThat(ArcClusteringProgram.coefficient(0, 1)).isZero();
        assertThat(ArcClusteringProgram.coefficient(2, 2)).isEqualTo(1);
        assertThat(ArcClusteringProgram.coefficient(4, 4)).isEqualTo(1 / 3d);
        assertThat(ArcClusteringProgram.coefficient(1L << 41, 1 << 30)).isPositive();
    }

    private static long byLookingUpEdges(ArrayGraph graph, int vertex) {
        long count = 0;
        for (int left = 0; left < graph.degree(vertex); left++) {
            for (int right = 0; right < left; right++) {
                boolean closes =
                        graph.contains(
                                graph.neighbour(vertex, left), graph.neighbour(vertex, right));
                count += closes ? 1 : 0;
            }
        }
        return count;
    }

    private static long[] byKernel(ArrayGraph graph) {
        OrientedGraph oriented =
                OrientedGraph.towardsSmaller(graph, VertexOrder.byDegree(graph, graph.vertices()));
        TriangleKernel kernel = new TriangleKernel(oriented, new HubMatrix(oriented));
        for (int rank = 0; rank < graph.vertices(); rank++) {
            kernel.count(rank);
        }
        long[] counts = new long[graph.vertices()];
        kernel.corners().drain((rank, count) -> counts[oriented.order().ordinal(rank)] += count);
        return counts;
    }

    private static long[] byThreeLoops(ArrayGraph graph) {
        long[] counts = new long[graph.vertices()];
        for (int a = 0; a < counts.length; a++) {
            for (int b = 0; b < a; b++) {
                for (int c = 0; graph.contains(a, b) && c < b; c++) {
                    if (graph.contains(a, c) && graph.contains(b, c)) {
                        counts[a]++;
                        counts[b]++;
                        counts[c]++;
                    }
                }
            }
        }
        return counts;
    }
}
