package org.starling.algorithms.walks;

import org.starling.algorithms.Verdict;
import org.starling.algorithms.chance.SplitMix;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.VertexChannel;

/**
 * Checks a sample of steps: each must be an edge, the one that was drawn, and walks that end early
 * must end where no edge leads on. Draws are made again, and weights added up edge by edge. Every
 * shard looks at the steps that begin in it.
 */
final class WalkCheck implements ShardProgram {
    static final String NAME = "algorithms.walks.check";

    /** Two ordinals and a draw for each step. */
    static final String ENDS = "ends";

    static final String SINKS = "sinks";
    private static final int WORDS = 3;

    private final long[] ends;
    private final long[] sinks;
    private final boolean weighted;
    private LongAggregator jumped;
    private LongAggregator strayed;
    private LongAggregator stopped;

    WalkCheck(Parameters parameters) {
        ends = parameters.integers(ENDS);
        sinks = parameters.integers(SINKS);
        weighted = parameters.flag(WalkProgram.WEIGHTED);
    }

    /**
     * Runs the check.
     *
     * @param walks what the file says
     * @param result what the run said
     * @throws org.starling.graph.JobFailedException if something is wrong
     */
    static void require(
            GraphSession session,
            String graph,
            RandomWalks.Options options,
            WalkFile walks,
            RandomWalks.Result result) {
        Parameters parameters =
                Parameters.of(ENDS, walks.ends())
                        .with(SINKS, walks.sinks())
                        .with(WalkProgram.WEIGHTED, options.weighted());
        RunResult run = session.run(graph, NAME, parameters);
        Verdict verdict = new Verdict(session, graph, "random walks", run);
        verdict.all(
                walks.lines() == result.walks(),
                "%d lines were written for %d walks".formatted(walks.lines(), result.walks()));
        verdict.all(
                walks.steps() == result.steps(),
                "%d steps were written, but %d were made".formatted(walks.steps(), result.steps()));
        verdict.nobody("jumped", "was left along an edge that it does not have");
        verdict.nobody("strayed", "was left along another edge than was drawn");
        verdict.nobody("stopped", "has edges, but a walk ended there early");
    }

    @Override
    public void declare(Declaration graph) {
        jumped = graph.longAggregator("jumped", LongCombiner.MIN);
        strayed = graph.longAggregator("strayed", LongCombiner.MIN);
        stopped = graph.longAggregator("stopped", LongCombiner.MIN);
    }

    @Override
    public void compute(Shard shard) {
        Adjacency rows = shard.adjacency();
        for (int i = 0; i < ends.length; i += WORDS) {
            if (!isOwn(shard, ends[i])) {
                continue;
            }
            if (!rows.contains(ends[i], ends[i + 1])) {
                jumped.add(ends[i]);
            } else if (drawn(rows, ends[i], ends[i + 2]) != ends[i + 1]) {
                strayed.add(ends[i]);
            }
        }
        for (long sink : sinks) {
            if (isOwn(shard, sink) && whole(rows, sink) > 0) {
                stopped.add(sink);
            }
        }
    }

    /** The neighbour that random bits choose. */
    private long drawn(Adjacency rows, long from, long draw) {
        if (!weighted) {
            return rows.neighbour(from, SplitMix.below(draw, rows.degree(from)));
        }
        double part = WeightedStep.part(draw, whole(rows, from));
        double sum = 0;
        for (int i = 0; i < rows.degree(from); i++) {
            sum += rows.weight(from, i);
            if (sum > part && sum > 0) {
                return rows.neighbour(from, i);
            }
        }
        return VertexChannel.NONE;
    }

    /** What all edges of a row weigh; their number if weights do not count. */
    private double whole(Adjacency rows, long vertex) {
        double sum = 0;
        for (int i = 0; i < rows.degree(vertex); i++) {
            sum += weighted ? rows.weight(vertex, i) : 1;
        }
        return sum;
    }

    private static boolean isOwn(Shard shard, long ordinal) {
        return shard.first() <= ordinal && ordinal < shard.end();
    }
}
