package org.starling.algorithms;

import java.util.Random;
import org.starling.algorithms.betweenness.BetweennessProgram;
import org.starling.algorithms.sssp.SsspProgram;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Times shortest paths on a Kronecker graph with weights: scale, number of peers, number of
 * searches, "processes" for peers in processes of their own, and the width of the first epoch.
 */
final class PathsMeasurement {
    private PathsMeasurement() {}

    public static void main(String[] arguments) {
        int scale = Integer.parseInt(arguments[0]);
        int peers = Integer.parseInt(arguments[1]);
        int searches = Integer.parseInt(arguments[2]);
        boolean processes = arguments[3].equals("processes");
        double width = Double.parseDouble(arguments[4]);
        try (ComputeCluster cluster = ComputeCluster.start(ClusterOptions.of(peers, processes))) {
            GraphSession session = cluster.session(JobListener.SILENT);
            Parameters source = Parameters.of("scale", scale).with("weights", true);
            System.out.println(session.build("g", "kronecker", source, BuildOptions.UNDIRECTED));
            System.out.println("width " + Sssp.firstWidth(session, "g"));
            for (int i = 0; i < 8; i++) {
                System.out.println(
                        "weights "
                                + session.run(
                                                "g",
                                                org.starling.algorithms.sssp.WeightsProgram.NAME,
                                                Parameters.NONE)
                                        .seconds());
            }
            if (width == 0) {
                measureBetweenness(session, searches);
                return;
            }
            Random random = new Random(1);
            double harmonic = 0;
            int counted = 0;
            for (int i = 0; i < searches; i++) {
                long key = random.nextInt(1 << scale);
                Parameters parameters =
                        Parameters.of(SsspProgram.SOURCE, key)
                                .with(SsspProgram.PARENTS, "parent")
                                .with(SsspProgram.WIDTH, width);
                RunResult run = session.run("g", SsspProgram.NAME, parameters);
                if (run.longAggregate(SsspProgram.REACHED) > 1000) {
                    System.out.printf(
                            "%d: %.1f ms, %d supersteps, %d messages, max %.3f%n",
                            i,
                            run.seconds() * 1e3,
                            run.supersteps(),
                            run.messages(),
                            run.doubleAggregate(SsspProgram.MAX_DISTANCE));
                    if (i >= searches / 3) {
                        harmonic += run.seconds();
                        counted++;
                    }
                }
            }
            double edges = 16.0 * (1 << scale);
            System.out.printf("%.1f MTEPS%n", edges * counted / harmonic / 1e6);
            System.out.println("peak resident bytes " + cluster.peakResidentBytes());
        }
    }

    private static void measureBetweenness(GraphSession session, int samples) {
        for (int i = 0; i < 6; i++) {
            Betweenness.Result result = Betweenness.samples(samples, i).run(session, "g", 0, false);
            System.out.println(result);
            Parameters all =
                    Parameters.of(BetweennessProgram.SOURCES, new long[] {12345 + i, 7, 4711});
            RunResult run =
                    session.run(
                            "g",
                            BetweennessProgram.NAME,
                            all.with(BetweennessProgram.FACTOR, 1.0)
                                    .with(BetweennessProgram.VERIFY, false));
            System.out.printf(
                    "%.1f ms a source, %d supersteps%n", run.seconds() * 1e3 / 3, run.supersteps());
        }
    }
}
