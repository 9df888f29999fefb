package org.starling.algorithms;

import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.RunResult;

/**
 * Turns what a checker found into silence or one sentence.
 *
 * <p>For each rule a checker has a {@link LongAggregator} with {@link LongCombiner#MIN}, to which
 * it adds the ordinals of vertices that break the rule in its last superstep. Confined to the
 * driver's thread.
 */
public final class Verdict {
    private static final long NOBODY = LongCombiner.MIN.identity();

    private final GraphSession session;
    private final String graph;
    private final String subject;
    private final RunResult check;

    /**
     * What a checker found.
     *
     * @param subject name of what was checked, for people
     * @param check the checker's run
     */
    public Verdict(GraphSession session, String graph, String subject, RunResult check) {
        this.session = session;
        this.graph = graph;
        this.subject = subject;
        this.check = check;
    }

    /**
     * Refuses if some vertex breaks a rule.
     *
     * @param rule name of the rule's aggregator
     * @param broken what such a vertex does, as the end of a sentence
     * @throws JobFailedException if there is one
     */
    public void nobody(String rule, String broken) {
        long ordinal = check.longAggregate(rule);
        if (ordinal != NOBODY) {
            Object id = session.shown(graph, session.id(graph, ordinal));
            throw refusal("vertex " + id + " " + broken);
        }
    }

    /**
     * Refuses if something that concerns the whole graph does not hold.
     *
     * @throws JobFailedException if so
     */
    public void all(boolean holds, String broken) {
        if (!holds) {
            throw refusal(broken);
        }
    }

    private JobFailedException refusal(String broken) {
        return new JobFailedException(
                "%s of graph \"%s\" failed its check: %s".formatted(subject, graph, broken));
    }
}
