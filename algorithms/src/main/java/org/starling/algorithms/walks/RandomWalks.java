package org.starling.algorithms.walks;

import java.nio.file.Path;
import org.starling.algorithms.EdgeWeights;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;

/**
 * Random walks from every vertex: from vertex to vertex along (outgoing) edges, all edges of a
 * vertex being equally likely, or as likely as they weigh.
 *
 * <p>Where a walk goes depends on the graph, the seed, its first vertex, its number there and the
 * step alone ({@link org.starling.algorithms.chance.SplitMix}), so that the file is the same, byte
 * by byte, for any number of peers and threads. Costs O(walks × length); each node holds the rows
 * of all vertices and their ids while it runs, and of walks a buffer for each worker.
 */
public final class RandomWalks {
    /** Largest number of steps of a walk. */
    public static final int MAX_LENGTH = 1_000_000;

    /** Largest number of walks from a vertex. */
    public static final int MAX_WALKS_PER_VERTEX = 1_000_000;

    private RandomWalks() {}

    /**
     * What to do.
     *
     * @param length steps of a walk, from 1 to {@link #MAX_LENGTH}; a walk is shorter if it comes
     *     to a vertex without (outgoing) edges, or all of whose edges weigh nothing if weights
     *     count
     * @param walksPerVertex walks that begin at each vertex, from 1 to {@link
     *     #MAX_WALKS_PER_VERTEX}
     * @param seed another one gives other walks
     * @param weighted whether edges are as likely as they weigh; without weights each weighs 1
     */
    public record Options(int length, int walksPerVertex, long seed, boolean weighted) {
        /** Checks the bounds. */
        public Options {
            check("length", length, MAX_LENGTH);
            check("walks per vertex", walksPerVertex, MAX_WALKS_PER_VERTEX);
        }

        private static void check(String what, int value, int largest) {
            if (value < 1 || value > largest) {
                throw new InvalidInputException(
                        "%s must be from 1 to %d, found %d".formatted(what, largest, value));
            }
        }
    }

    /**
     * What was walked.
     *
     * @param walks number of walks
     * @param steps number of steps of all walks
     */
    public record Result(long walks, long steps) {}

    /**
     * Walks.
     *
     * @param file where to write walks: one per line, original ids of its vertices separated by
     *     blanks, in the order of first vertices and, for one vertex, of walks
     * @param verify whether to check the file's form, and a sample of steps against the graph and
     *     what was drawn for them
     * @throws InvalidInputException if there is no such graph, the file cannot be written, or
     *     weights count and one is negative, infinite or no number
     * @throws JobFailedException if the check finds the result wrong
     */
    public static Result run(
            GraphSession session, String graph, Options options, Path file, boolean verify) {
        if (options.weighted()) {
            requireWeights(session, graph);
        }
        Parameters parameters =
                Parameters.of(WalkProgram.LENGTH, options.length())
                        .with(WalkProgram.WALKS_PER_VERTEX, options.walksPerVertex())
                        .with(WalkProgram.SEED, options.seed())
                        .with(WalkProgram.WEIGHTED, options.weighted());
        RunResult run =
                session.run(
                        graph,
                        WalkProgram.NAME,
                        parameters,
                        RunOptions.DEFAULT.withOutput(WalkProgram.WALKS, file));
        long walks = session.info(graph).vertices() * options.walksPerVertex();
        Result result = new Result(walks, run.longAggregate(WalkProgram.STEPS));
        if (verify) {
            check(session, graph, options, file, result);
        }
        return result;
    }

    /**
     * Checks a file of walks.
     *
     * @param result what the run said
     * @throws JobFailedException if something is wrong with it
     */
    public static void check(
            GraphSession session, String graph, Options options, Path file, Result result) {
        WalkFile walks = WalkFile.read(session, graph, options, file);
        WalkCheck.require(session, graph, options, walks, result);
    }

    private static void requireWeights(GraphSession session, String graph) {
        GraphInfo info = session.info(graph);
        EdgeWeights weights = EdgeWeights.of(session, graph, "weighted walks");
        if (info.weighted() && weights.finite() < info.storedEdges()) {
            throw new InvalidInputException(
                    "graph \"%s\" has an edge whose weight is infinite; weighted walks need finite ones"
                            .formatted(graph));
        }
    }
}
