package org.starling.benchmarks.graph500;

import org.starling.graph.BuildResult;
import org.starling.graph.GraphSession;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.loaders.KroneckerGraph;

/** Checks kernel 1, by {@link ConstructionProgram}. Used from the session's thread. */
final class ConstructionCheck {

    private final GraphSession session;
    private final KroneckerGraph input;
    private final Parameters source;

    /** {@code source} has the parameters of the edge source. */
    ConstructionCheck(GraphSession session, Parameters source) {
        this.session = session;
        this.input = KroneckerGraph.of(source);
        this.source = source;
    }

    /**
     * Compares the graph with its input.
     *
     * @throws JobFailedException that says what is wrong, and at which vertex
     */
    void require(BuildResult built) {
        String graph = built.graph().name();
        if (built.graph().vertices() != input.vertices()) {
            throw new InvalidRun(
                    "construction made %d vertices of %d"
                            .formatted(built.graph().vertices(), input.vertices()));
        }
        RunResult checked = session.run(graph, ConstructionProgram.NAME, source);
        long violation = checked.longAggregate(ConstructionProgram.VIOLATION);
        if (violation != Rule.NOTHING_BROKEN) {
            throw new InvalidRun(
                    "construction is wrong at vertex %d: %s"
                            .formatted(
                                    session.id(graph, Rule.vertex(violation)), Rule.of(violation)));
        }
        long selfLoops = checked.longAggregate(ConstructionProgram.SELF_LOOPS);
        long entries = checked.longAggregate(ConstructionProgram.ENTRIES);
        requireEqual("self-loops", built.skippedSelfLoops(), selfLoops);
        requireEqual("stored edges", built.graph().storedEdges(), entries);
        requireEqual(
                "duplicates", built.skippedDuplicates(), input.edges() - selfLoops - entries / 2);
    }

    private static void requireEqual(String what, long said, long counted) {
        if (said != counted) {
            throw new InvalidRun(
                    "construction says %d %s, there are %d".formatted(said, what, counted));
        }
    }
}
