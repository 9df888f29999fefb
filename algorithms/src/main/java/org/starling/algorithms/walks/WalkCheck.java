package org.starling.algorithms.walks;

import org.starling.algorithms.Verdict;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramProvider;
import org.starling.graph.RunResult;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Checks a sample of steps: each must be an edge, and walks that end early must end where no edge
 * leads on. Every shard looks at the steps that begin in it.
 */
final class WalkCheck implements ShardProgram {
    static final String NAME = "algorithms.walks.check";

    /** Two ordinals for each step. */
    private static final String ENDS = "ends";

    private static final String SINKS = "sinks";

    private final long[] ends;
    private final long[] sinks;
    private LongAggregator jumped;
    private LongAggregator stopped;

    WalkCheck(long[] ends, long[] sinks) {
        this.ends = ends;
        this.sinks = sinks;
    }

    /**
     * Runs the check.
     *
     * @param walks what the file says
     * @param result what the run said
     * @throws org.starling.graph.JobFailedException if something is wrong
     */
    static void require(
            GraphSession session, String graph, WalkFile walks, RandomWalks.Result result) {
        Parameters parameters = Parameters.of(ENDS, walks.ends()).with(SINKS, walks.sinks());
        RunResult run = session.run(graph, NAME, parameters);
        Verdict verdict = new Verdict(session, graph, "random walks", run);
        verdict.all(
                walks.lines() == result.walks(),
                "%d lines were written for %d walks".formatted(walks.lines(), result.walks()));
        verdict.all(
                walks.steps() == result.steps(),
                "%d steps were written, but %d were made".formatted(walks.steps(), result.steps()));
        verdict.nobody("jumped", "was left along an edge that it does not have");
        verdict.nobody("stopped", "has edges, but a walk ended there early");
    }

    @Override
    public void declare(Declaration graph) {
        jumped = graph.longAggregator("jumped", LongCombiner.MIN);
        stopped = graph.longAggregator("stopped", LongCombiner.MIN);
    }

    @Override
    public void compute(Shard shard) {
        for (int i = 0; i < ends.length; i += 2) {
            if (isOwn(shard, ends[i]) && !shard.adjacency().contains(ends[i], ends[i + 1])) {
                jumped.add(ends[i]);
            }
        }
        for (long sink : sinks) {
            if (isOwn(shard, sink) && shard.adjacency().degree(sink) > 0) {
                stopped.add(sink);
            }
        }
    }

    private static boolean isOwn(Shard shard, long ordinal) {
        return shard.first() <= ordinal && ordinal < shard.end();
    }

    /** Makes the program; the driver knows its parameters. */
    public static final class Provider implements ProgramProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public WalkCheck create(Parameters parameters) {
            return new WalkCheck(parameters.integers(ENDS), parameters.integers(SINKS));
        }
    }
}
