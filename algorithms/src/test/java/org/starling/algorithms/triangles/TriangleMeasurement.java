package org.starling.algorithms.triangles;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.starling.algorithms.orientation.ArrayGraph;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.Scattering;
import org.starling.algorithms.orientation.VertexOrder;

/**
 * Times the triangle kernel without an engine, on a Kronecker-like graph with 16 edges per vertex:
 * scale and number of threads. The first round is cold.
 */
final class TriangleMeasurement {
    private static final int ROUNDS = 3;
    private static final int BLOCK = 1024;

    private TriangleMeasurement() {}

    public static void main(String[] arguments) throws InterruptedException {
        int scale = Integer.parseInt(arguments[0]);
        int threads = Integer.parseInt(arguments[1]);
        ArrayGraph graph = ArrayGraph.ofPairs(1 << scale, recursiveEdges(scale, 16L << scale));
        System.out.println("edges " + graph.edges());
        for (int round = 0; round < ROUNDS; round++) {
            System.out.println(measure(graph, threads));
        }
    }

    private static String measure(ArrayGraph graph, int threads) throws InterruptedException {
        long begin = System.nanoTime();
        OrientedGraph oriented =
                OrientedGraph.towardsSmaller(graph, VertexOrder.byDegree(graph, graph.vertices()));
        HubMatrix hubs = new HubMatrix(oriented);
        long ready = System.nanoTime();
        Scattering scattering = new Scattering(graph.vertices());
        AtomicInteger next = new AtomicInteger();
        AtomicLong sum = new AtomicLong();
        Thread[] workers = new Thread[threads];
        for (int worker = 0; worker < threads; worker++) {
            workers[worker] =
                    new Thread(() -> {
                        TriangleKernel kernel = new TriangleKernel(oriented, hubs);
                        long found = 0;
                        int block;
                        while ((block = next.getAndAdd(BLOCK)) < graph.vertices()) {
                            int end = Math.min(block + BLOCK, graph.vertices());
                            for (int position = block; position < end; position++) {
                                found += kernel.count(scattering.at(position));
                            }
                        }
                        sum.addAndGet(found);
                    });
            workers[worker].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        long end = System.nanoTime();
        return "%d triangles, longest row %d: order %.3f s, search %.3f s"
                .formatted(
                        sum.get(),
                        oriented.largestDegree(),
                        (ready - begin) / 1e9,
                        (end - ready) / 1e9);
    }

    private static long[] recursiveEdges(int scale, long count) {
        SplittableRandom random = new SplittableRandom(1);
        int[] shuffled = new int[1 << scale];
        Arrays.setAll(shuffled, index -> index);
        for (int index = shuffled.length - 1; index > 0; index--) {
            int other = random.nextInt(index + 1);
            int kept = shuffled[index];
            shuffled[index] = shuffled[other];
            shuffled[other] = kept;
        }
        long[] edges = new long[Math.toIntExact(count)];
        for (int edge = 0; edge < edges.length; edge++) {
            int source = 0;
            int target = 0;
            for (int level = 0; level < scale; level++) {
                double where = random.nextDouble();
                int quadrant = where < 0.57 ? 0 : where < 0.76 ? 1 : where < 0.95 ? 2 : 3;
                source = 2 * source + (quadrant >> 1);
                target = 2 * target + (quadrant & 1);
            }
            edges[edge] = (long) shuffled[source] << 32 | shuffled[target];
        }
        return edges;
    }
}
