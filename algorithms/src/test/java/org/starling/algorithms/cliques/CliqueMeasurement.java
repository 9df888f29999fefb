package org.starling.algorithms.cliques;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.starling.algorithms.orientation.ArrayGraph;
import org.starling.algorithms.orientation.GraphFile;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.Scattering;
import org.starling.algorithms.orientation.VertexOrder;

/**
 * Times the clique kernel without an engine: files to read, after the number of threads. The first
 * round is cold.
 */
final class CliqueMeasurement {
    private static final int ROUNDS = 8;

    private CliqueMeasurement() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        for (int file = 1; file < arguments.length; file++) {
            ArrayGraph graph = GraphFile.read(Path.of(arguments[file]));
            for (int round = 0; round < ROUNDS; round++) {
                System.out.println(arguments[file] + " " + measure(graph, threads));
            }
        }
    }

    private static String measure(ArrayGraph graph, int threads) throws InterruptedException {
        long begin = System.nanoTime();
        OrientedGraph smaller =
                OrientedGraph.towardsSmaller(
                        graph, VertexOrder.byDegeneracy(graph, graph.vertices()));
        OrientedGraph larger = smaller.reversed();
        long ready = System.nanoTime();
        Scattering scattering = new Scattering(graph.vertices());
        AtomicInteger next = new AtomicInteger();
        long[] counts = new long[threads];
        Thread[] workers = new Thread[threads];
        for (int worker = 0; worker < threads; worker++) {
            int own = worker;
            workers[worker] =
                    new Thread(() -> {
                        CliqueKernel kernel =
                                new CliqueKernel(
                                        smaller, larger, 1, (members, size) -> counts[own]++);
                        int block;
                        while ((block = next.getAndAdd(64)) < graph.vertices()) {
                            int end = Math.min(block + 64, graph.vertices());
                            for (int position = block; position < end; position++) {
                                kernel.enumerate(scattering.at(position), Long.MAX_VALUE);
                            }
                        }
                    });
            workers[worker].start();
        }
        long sum = 0;
        for (int worker = 0; worker < threads; worker++) {
            workers[worker].join();
            sum += counts[worker];
        }
        long end = System.nanoTime();
        return "%d cliques, degeneracy %d: order %.1f ms, search %.1f ms"
                .formatted(
                        sum, smaller.largestDegree(), (ready - begin) / 1e6, (end - ready) / 1e6);
    }
}
