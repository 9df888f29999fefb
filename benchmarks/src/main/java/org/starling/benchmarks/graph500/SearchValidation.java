package org.starling.benchmarks.graph500;

import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/**
 * Validates what a search left, by a program for its kernel. Used from the session's thread.
 *
 * @param session where the graph is
 * @param graph its name
 * @param program {@link LevelValidation#NAME} or {@link DistanceValidation#NAME}
 */
record SearchValidation(GraphSession session, String graph, String program) {

    /**
     * Checks the five rules.
     *
     * @param key original id of the root
     * @param edges number of traversed edges, counted before
     * @throws JobFailedException that names rule, key and vertex if one is broken
     */
    void require(long key, long edges) {
        long root = session.ordinal(graph, key);
        RunResult checked =
                session.run(graph, program, Parameters.of(ValidationProgram.ROOT, root));
        long violation = checked.longAggregate(ValidationProgram.VIOLATION);
        if (violation != Rule.NOTHING_BROKEN) {
            throw invalid(key, Rule.of(violation), Rule.vertex(violation));
        }
        if (checked.longAggregate(ValidationProgram.DEGREES) != 2 * edges) {
            throw invalid(key, Rule.COUNT, root);
        }
    }

    private JobFailedException invalid(long key, Rule rule, long ordinal) {
        return new InvalidRun(
                "the search from key %d breaks %s, at vertex %d"
                        .formatted(key, rule, session.id(graph, ordinal)));
    }
}
