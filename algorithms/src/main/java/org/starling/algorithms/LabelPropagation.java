package org.starling.algorithms;

import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Communities by label propagation: at first every vertex has its own id as its label; in each of a
 * fixed number of rounds all vertices at once take the label that is most frequent among their
 * neighbours, the smallest one of several. In a directed graph neighbours are those at the other
 * end of incoming and of outgoing edges, and one with edges both ways counts twice.
 *
 * <p>Source: U. N. Raghavan, R. Albert, S. Kumara, "Near linear time algorithm to detect community
 * structures in large-scale networks" (2007), made synchronous and deterministic as LDBC
 * Graphalytics defines it (CDLP). O(m) expected time for a round, less when many labels have come
 * to rest.
 *
 * <p>Leaves two states: {@value #COMMUNITY}, or as it is named ({@code long}: the label, an
 * original id), and {@value #LABEL} ({@code int}: ordinal of the vertex that the label is the id
 * of, unsigned).
 */
public final class LabelPropagation {
    /** Name of the state that holds labels as original ids. */
    public static final String COMMUNITY = "community";

    /** Name of the state that holds labels as ordinals. */
    public static final String LABEL = "communityLabel";

    private LabelPropagation() {}

    /**
     * What was found.
     *
     * @param communities number of different labels
     * @param largest number of vertices that have the most frequent one
     */
    public record Result(long communities, long largest) {}

    /**
     * Propagates labels.
     *
     * @param iterations number of rounds, at least 1
     * @param state name of the state of labels to leave, {@value #COMMUNITY} for example
     * @param verify whether to check each round as it is made, by counting again around a sample of
     *     vertices, and the names of communities afterwards
     * @throws InvalidInputException if there is no such graph, or the number of rounds or the name
     *     of the state makes no sense
     * @throws JobFailedException if the check finds the result wrong
     */
    public static Result run(
            GraphSession session, String graph, int iterations, String state, boolean verify) {
        if (iterations < 1) {
            throw new InvalidInputException(
                    "label propagation: \"iterations\" is %d, must be at least 1"
                            .formatted(iterations));
        }
        if (state.equals(LABEL)) {
            throw new InvalidInputException(
                    "label propagation: \"%s\" is taken; name the state otherwise"
                            .formatted(state));
        }
        Parameters rounds =
                Parameters.of(LabelPropagationProgram.ITERATIONS, iterations)
                        .with(LabelPropagationProgram.VERIFY, verify);
        RunResult run = session.run(graph, LabelPropagationProgram.NAME, rounds);
        if (verify) {
            requireRounds(session, graph, run);
        }
        Parameters left = Parameters.of(LabelPropagationCensus.STATE, state);
        RunResult census = session.run(graph, LabelPropagationCensus.NAME, left);
        if (verify) {
            LabelPropagationCheck.require(session, graph, state);
        }
        return new Result(
                census.longAggregate(LabelPropagationCensus.COMMUNITIES),
                Math.max(0, census.longAggregate(LabelPropagationCensus.LARGEST)));
    }

    /** Refuses if a round that was judged as it was made has a wrong label. */
    static void requireRounds(GraphSession session, String graph, RunResult run) {
        new Verdict(session, graph, "label propagation", run)
                .nobody(
                        LabelPropagationProgram.WRONG,
                        "took a label in superstep %d that is not the most frequent among its neighbours"
                                .formatted(run.supersteps() - 1));
    }
}
