package org.starling.benchmarks.graph500;

import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;

/** Validates what a search left, by a program for its kernel. Used from the session's thread. */
final class SearchValidation {

    private final GraphSession session;
    private final String graph;
    private final String program;

    /**
     * A validation.
     *
     * @param program {@link LevelValidation#NAME} or {@link DistanceValidation#NAME}
     */
    SearchValidation(GraphSession session, String graph, String program) {
        this.session = session;
        this.graph = graph;
        this.program = program;
    }

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
