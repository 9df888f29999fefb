package org.starling.algorithms;

import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleChannel;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleGlobal;
import org.starling.graph.DoubleState;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Power iteration for PageRank: a sweep sets rank(v) = base + d · Σ rank(u) / degree(u) over all
 * edges u → v, where base = ((1 - d) + d · Σ rank(w) over all w without edges) / n.
 *
 * <p>Superstep 0 gives every vertex 1/n, each later one is a sweep. Ranks are {@code double} all
 * the way, so that results agree with other libraries' beyond the seventh digit. A sweep shrinks
 * the change by d at least, which bounds the number of sweeps by log(tolerance / 2) / log(d).
 *
 * <p>Shares carry the ranks from sweep to sweep. The ranks themselves are kept where somebody asks
 * for them: in every sweep if the change decides whether there is another one, else in the last two
 * alone.
 *
 * <p>Parameters: {@value #DAMPING}, {@value #ITERATIONS} (0: until tolerance) and {@value
 * #TOLERANCE}.
 */
final class PageRankProgram implements VertexProgram {
    static final String NAME = "algorithms.pagerank";
    static final String DAMPING = "damping";
    static final String ITERATIONS = "iterations";
    static final String TOLERANCE = "tolerance";

    /** Aggregator: Σ |new rank - old rank| of a sweep. */
    static final String CHANGE = "change";

    private final double damping;
    private final int lastSweep;
    private final double tolerance;

    /** From this sweep on ranks are kept, and from the next one on their change is summed up. */
    private final int firstKept;

    private long vertices;
    private DoubleState rank;
    private DoubleChannel share;
    private DoubleAggregator dangling;
    private DoubleAggregator change;
    private DoubleGlobal base;

    PageRankProgram(Parameters parameters) {
        int iterations = Math.toIntExact(parameters.integer(ITERATIONS));
        boolean counted = iterations > 0;
        damping = parameters.number(DAMPING);
        lastSweep = counted ? iterations : Integer.MAX_VALUE;
        tolerance = counted ? Double.NEGATIVE_INFINITY : parameters.number(TOLERANCE);
        firstKept = counted ? iterations - 1 : 0;
    }

    @Override
    public void declare(Declaration graph) {
        vertices = graph.graph().vertices();
        rank = graph.doubleState(PageRank.PAGERANK, 0);
        share = graph.doubleChannel("share", DoubleCombiner.SUM);
        dangling = graph.doubleAggregator("dangling", DoubleCombiner.SUM);
        change = graph.doubleAggregator(CHANGE, DoubleCombiner.SUM);
        base = graph.doubleGlobal("base", 0);
        graph.alwaysActive();
        if (lastSweep < Integer.MAX_VALUE) {
            graph.expectSupersteps(lastSweep + 1L);
        }
    }

    @Override
    public void start(Vertex v) {
        passOn(v, 1d / vertices);
    }

    @Override
    public void compute(Vertex v) {
        double next = base.get() + damping * share.received(v);
        if (v.superstep() > firstKept) {
            change.add(Math.abs(next - rank.get(v)));
        }
        passOn(v, next);
    }

    private void passOn(Vertex v, double next) {
        if (v.superstep() >= firstKept) {
            rank.set(v, next);
        }
        int degree = v.degree();
        if (degree == 0) {
            dangling.add(next);
        } else if (v.superstep() < lastSweep) {
            share.broadcast(v, next / degree);
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        base.set((1 - damping + damping * dangling.value()) / vertices);
        int sweep = master.superstep();
        if (sweep >= lastSweep || (sweep > 0 && change.value() <= tolerance)) {
            master.halt();
        }
    }
}
