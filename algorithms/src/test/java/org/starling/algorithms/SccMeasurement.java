package org.starling.algorithms;

import java.util.ArrayList;
import java.util.List;
import org.starling.algorithms.components.StronglyConnectedComponents;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;

/**
 * Times strongly connected components on graphs that are hard for them: long paths and chains, with
 * ids along them, against them and shuffled, and cycles of which each leads to all later ones.
 * Arguments: number of peers, and "distributed" for supersteps on small graphs, too.
 */
final class SccMeasurement {
    private static final int ROUNDS = 2;

    private SccMeasurement() {}

    public static void main(String[] arguments) {
        int peers = Integer.parseInt(arguments[0]);
        boolean distributed = List.of(arguments).contains("distributed");
        int smallEdges = distributed ? 0 : StronglyConnectedComponents.SMALL_EDGES;
        try (ComputeCluster cluster = ComputeCluster.start(ClusterOptions.of(peers, false))) {
            GraphSession session = new TimedSession(cluster.session(JobListener.SILENT));
            for (int round = 0; round < ROUNDS; round++) {
                for (Shape shape : shapes()) {
                    measure(session, shape, smallEdges);
                }
            }
        }
    }

    private static List<Shape> shapes() {
        List<Shape> shapes = new ArrayList<>();
        shapes.add(Shape.path(10_000, true));
        for (Shape.Numbering numbering : Shape.Numbering.values()) {
            shapes.add(Shape.chainOfCycles(2_000, 3).renumbered(numbering));
            shapes.add(Shape.chainOfCycles(20, 300).renumbered(numbering));
            shapes.add(Shape.tournamentOfCycles(300, 2).renumbered(numbering));
        }
        return shapes;
    }

    private static void measure(GraphSession session, Shape shape, int smallEdges) {
        session.build(
                "hard",
                ListedEdges.NAME,
                ListedEdges.parameters(shape.ids(), shape.ends(), 4),
                BuildOptions.DIRECTED);
        long begin = System.nanoTime();
        Object found = StronglyConnectedComponents.run(session, "hard", smallEdges, false);
        System.out.printf("%s: %.3f s, %s%n", shape, (System.nanoTime() - begin) / 1e9, found);
        session.drop("hard");
    }
}
