package org.starling.algorithms;

import java.util.List;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.algorithms.components.StronglyConnectedComponents;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;

/**
 * Times the algorithms of this package and their checkers on a Kronecker graph with 16 edges per
 * vertex: scale, number of peers, "processes" for peers in processes of their own, "directed" for
 * edges with a direction. The first round is cold. Seconds are wall-clock time of the driver's
 * call, with that of the supersteps beside it.
 */
final class AlgorithmsMeasurement {
    private static final int ROUNDS = 5;
    private static final String GRAPH = "kronecker";

    private final GraphSession session;

    private AlgorithmsMeasurement(ComputeCluster cluster) {
        session = new TimedSession(cluster.session(JobListener.SILENT));
    }

    public static void main(String[] arguments) {
        int scale = Integer.parseInt(arguments[0]);
        int peers = Integer.parseInt(arguments[1]);
        boolean processes = List.of(arguments).contains("processes");
        boolean directed = List.of(arguments).contains("directed");
        try (ComputeCluster cluster = ComputeCluster.start(ClusterOptions.of(peers, processes))) {
            new AlgorithmsMeasurement(cluster).measure(scale, directed);
            System.out.println("peak resident bytes " + cluster.peakResidentBytes());
        }
    }

    private void measure(int scale, boolean directed) {
        BuildResult built =
                session.build(
                        GRAPH,
                        "kronecker",
                        Parameters.of("scale", scale),
                        directed ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED);
        System.out.println(built);
        long source = session.id(GRAPH, 0);
        for (int round = 0; round < ROUNDS; round++) {
            System.out.println("round " + round);
            time("bfs", () -> Bfs.run(session, GRAPH, source, true).reached());
            time(
                    "pagerank, 10 sweeps",
                    () -> PageRank.run(session, GRAPH, new PageRank.Options(0.85, 10, 0, 5), true));
            time("components", () -> ConnectedComponents.run(session, GRAPH, true));
            time(
                    "labels, 10 rounds",
                    () -> LabelPropagation.run(session, GRAPH, 10, "community", true));
            time("clustering", () -> LocalClustering.run(session, GRAPH, true));
            if (directed) {
                time(
                        "strong components",
                        () -> StronglyConnectedComponents.run(session, GRAPH, false));
            } else {
                time("k-core", () -> KCore.run(session, GRAPH, true));
            }
        }
    }

    private static void time(String what, Measured measured) {
        long begin = System.nanoTime();
        Object result = measured.run();
        System.out.printf("%-20s %.4f s %s%n", what, (System.nanoTime() - begin) / 1e9, result);
    }

    @FunctionalInterface
    private interface Measured {
        Object run();
    }
}
