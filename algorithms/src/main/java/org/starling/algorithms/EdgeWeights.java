package org.starling.algorithms;

import org.starling.algorithms.sssp.WeightsProgram;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongCombiner;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * What a look at all weights finds, for algorithms that need them to be from 0 on.
 *
 * @param finite number of stored edges with a finite weight; 0 in a graph without weights
 * @param sum sum of these weights
 */
public record EdgeWeights(long finite, double sum) {
    private static final long NOBODY = LongCombiner.MIN.identity();

    /**
     * Looks at all weights of a graph.
     *
     * @param subject who needs them, for people: "shortest paths"
     * @throws InvalidInputException if a weight is negative or no number
     */
    public static EdgeWeights of(GraphSession session, String graph, String subject) {
        RunResult weights = session.run(graph, WeightsProgram.NAME, Parameters.NONE);
        long bad = weights.longAggregate(WeightsProgram.FIRST_BAD);
        if (bad != NOBODY) {
            throw new InvalidInputException(
                    ("graph \"%s\" has an edge at vertex %s whose weight is negative or not a"
                                    + " number; %s need weights from 0 on")
                            .formatted(
                                    graph, session.shown(graph, session.id(graph, bad)), subject));
        }
        return new EdgeWeights(
                weights.longAggregate(WeightsProgram.FINITE),
                weights.doubleAggregate(WeightsProgram.SUM));
    }
}
