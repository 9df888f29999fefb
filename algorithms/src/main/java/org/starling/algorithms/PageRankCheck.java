package org.starling.algorithms;

import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleChannel;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleGlobal;
import org.starling.graph.DoubleState;
import org.starling.graph.GraphSession;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Checks the ranks that PageRank left by one more sweep that changes nothing.
 *
 * <p>Rules: (1) no rank is below (1 - d) / n; (2) ranks add up to 1; (3) the residual, Σ |swept
 * rank - rank|, is at most d times what the last sweep claims to have changed, and that is at most
 * 2 d^(sweeps - 1). A sweep is a contraction by d in this norm (its matrix is column-stochastic but
 * for d), and two distributions are never further than 2 apart, so correct ranks obey (3); and
 * ranks whose residual is r are within r / (1 - d) of the true ones.
 *
 * <p>Two supersteps, one look at every edge.
 *
 * <p>Parameter: {@value PageRankProgram#DAMPING}.
 */
final class PageRankCheck implements VertexProgram {
    static final String NAME = "algorithms.pagerank.check";

    /** What rounding may do to one rank, relatively, and to the sum over a small graph. */
    private static final double ROUNDING = 1e-11;

    private static final double LARGEST_DISTANCE = 2;

    private final double damping;
    private long vertices;
    private DoubleState rank;
    private DoubleChannel share;
    private DoubleAggregator dangling;
    private DoubleAggregator sum;
    private DoubleAggregator residual;
    private DoubleGlobal base;
    private LongAggregator tooSmall;

    PageRankCheck(Parameters parameters) {
        damping = parameters.number(PageRankProgram.DAMPING);
    }

    /**
     * Runs the check.
     *
     * @param damping damping of the run that left the ranks
     * @param sweeps sweeps it made
     * @param lastChange what its last sweep changed
     * @throws org.starling.graph.JobFailedException if a rule is broken
     */
    static void require(
            GraphSession session, String graph, double damping, int sweeps, double lastChange) {
        RunResult run = session.run(graph, NAME, Parameters.of(PageRankProgram.DAMPING, damping));
        Verdict verdict = new Verdict(session, graph, "PageRank", run);
        verdict.nobody("tooSmall", "has a rank below (1 - damping) / vertices");
        double rounding = rounding(session.info(graph).vertices(), damping);
        double sum = run.doubleAggregate("sum");
        verdict.all(Math.abs(sum - 1) <= rounding, "ranks add up to " + sum + " instead of 1");
        double mostChange = LARGEST_DISTANCE * Math.pow(damping, sweeps - 1) + rounding;
        verdict.all(
                lastChange <= mostChange,
                "sweep %d changed %s, which can't be more than %s"
                        .formatted(sweeps, lastChange, mostChange));
        double residual = run.doubleAggregate("residual");
        double mostResidual = damping * lastChange + rounding;
        verdict.all(
                residual <= mostResidual,
                "one more sweep changes %s, which should not be more than %s"
                        .formatted(residual, mostResidual));
    }

    /**
     * What rounding may do to a sum over all vertices. Equal ranks, of isolated vertices for
     * example, are all rounded to the same side when they are added, and what the sum of dangling
     * ranks lacks is lost from one sweep to the next.
     */
    private static double rounding(long vertices, double damping) {
        return ROUNDING + vertices * Math.ulp(1d) / (1 - damping);
    }

    @Override
    public void declare(Declaration graph) {
        vertices = graph.graph().vertices();
        rank = graph.existingDoubleState(PageRank.PAGERANK);
        share = graph.doubleChannel("share", DoubleCombiner.SUM);
        dangling = graph.doubleAggregator("dangling", DoubleCombiner.SUM);
        sum = graph.doubleAggregator("sum", DoubleCombiner.SUM);
        residual = graph.doubleAggregator("residual", DoubleCombiner.SUM);
        base = graph.doubleGlobal("base", 0);
        tooSmall = graph.longAggregator("tooSmall", LongCombiner.MIN);
        graph.alwaysActive();
    }

    @Override
    public void start(Vertex v) {
        double own = rank.get(v);
        int degree = v.degree();
        if (degree == 0) {
            dangling.add(own);
        } else {
            share.broadcast(v, own / degree);
        }
    }

    @Override
    public void compute(Vertex v) {
        double own = rank.get(v);
        sum.add(own);
        residual.add(Math.abs(base.get() + damping * share.received(v) - own));
        boolean sound = own >= (1 - damping) / vertices * (1 - ROUNDING); // false for NaN
        if (!sound) {
            tooSmall.add(v.ordinal());
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        base.set((1 - damping + damping * dangling.value()) / vertices);
        if (master.superstep() == 1) {
            master.halt();
        }
    }
}
