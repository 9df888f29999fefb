package org.starling.algorithms;

import org.starling.graph.Declaration;
import org.starling.graph.Histogram;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.Master;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Peels a graph: at threshold k, vertices with k or fewer remaining neighbours are removed with
 * core number k, and tell their neighbours; when nobody is left to remove, k rises to the smallest
 * number of remaining neighbours that anyone has.
 *
 * <p>Source: V. Batagelj, M. Zaveršnik, "An O(m) algorithm for cores decomposition of networks"
 * (2003), with rounds in place of buckets. While a vertex remains, its state {@code core} holds the
 * number of its remaining neighbours.
 *
 * <p>Within a threshold only neighbours of removed vertices compute; all that remain compute once
 * per threshold. Each edge carries at most one message each way; memory is 8 bytes per vertex.
 */
final class KCoreProgram implements VertexProgram {
    static final String NAME = "algorithms.kcore";

    /** Histogram: vertices by core number. */
    static final String HISTOGRAM = "cores";

    private static final long NOBODY = LongCombiner.MIN.identity();

    private IntState core;
    private IntState round;
    private IntChannel lost;
    private Histogram cores;
    private LongGlobal threshold;

    /** Numbers of remaining neighbours seen by those who stayed, in one superstep. */
    private LongAggregator fewest;

    /** The smallest of these since the threshold last rose; nobody who remains has fewer. */
    private LongGlobal fewestAtThreshold;

    @Override
    public void declare(Declaration graph) {
        core = graph.intState(KCore.CORE, 0);
        round = graph.intState(KCore.ROUND, 0);
        lost = graph.intChannel("lost", IntCombiner.SUM);
        cores = graph.histogram(HISTOGRAM);
        threshold = graph.longGlobal("threshold", 0);
        fewest = graph.longAggregator("fewest", LongCombiner.MIN);
        fewestAtThreshold = graph.longGlobal("fewestAtThreshold", NOBODY);
    }

    @Override
    public void start(Vertex v) {
        stayOrLeave(v, v.degree());
    }

    @Override
    public void compute(Vertex v) {
        stayOrLeave(v, core.get(v) - lost.received(v));
    }

    private void stayOrLeave(Vertex v, int remaining) {
        int k = (int) threshold.get();
        if (remaining > k) {
            core.set(v, remaining);
            fewest.add(remaining);
        } else {
            core.set(v, k);
            round.set(v, v.superstep());
            cores.add(k, 1);
            lost.broadcast(v, 1);
            v.settle();
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        long seen = Math.min(fewestAtThreshold.get(), fewest.value());
        if (master.pending() == 0 && seen != NOBODY) {
            threshold.set(seen);
            fewestAtThreshold.set(NOBODY);
            master.activateAll();
        } else {
            fewestAtThreshold.set(seen);
        }
    }
}
