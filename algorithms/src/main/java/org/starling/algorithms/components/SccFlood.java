package org.starling.algorithms.components;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Vertex;
import org.starling.graph.VertexChannel;
import org.starling.graph.VertexProgram;

/**
 * Finds the component of one vertex by two breadth-first searches at the same time, along edges and
 * against them: those whom both reach belong to it.
 *
 * <p>Superstep 0 elects the pivot, the first of those whom {@link SccTrim} left, which is one of
 * those with the most edges, and superstep 1 starts. Members get {@link ComponentsCensus#FLOODED}
 * as their component, since nobody knows its smallest ordinal yet, and as witnesses the supersteps
 * in which the searches came. As many supersteps as the longer of the two searches has levels; O(m)
 * looks at edges.
 */
final class SccFlood implements VertexProgram {
    static final String NAME = "algorithms.scc.flood";

    private static final long NOBODY = LongCombiner.MIN.identity();
    private static final int UNREACHED = -1;

    private LongState component;
    private IntState ahead;
    private IntState behind;
    private VertexChannel forwards;
    private VertexChannel backwards;

    private LongAggregator candidate;

    private LongGlobal pivot;

    @Override
    public void declare(Declaration graph) {
        component = graph.existingVertexState(StronglyConnectedComponents.COMPONENT);
        ahead = graph.existingIntState(StronglyConnectedComponents.AHEAD);
        behind = graph.existingIntState(StronglyConnectedComponents.BEHIND);
        forwards = graph.vertexChannel("forwards", EdgeDirection.OUTGOING);
        backwards = graph.vertexChannel("backwards", EdgeDirection.INCOMING);
        candidate = graph.longAggregator("candidate", LongCombiner.MIN);
        pivot = graph.longGlobal("pivot", NOBODY);
    }

    @Override
    public void start(Vertex v) {
        if (component.get(v) == StronglyConnectedComponents.UNDECIDED) {
            candidate.add(v.ordinal());
            ahead.set(v, UNREACHED);
            behind.set(v, UNREACHED);
        } else {
            v.settle();
        }
    }

    @Override
    public void compute(Vertex v) {
        boolean starts = v.superstep() == 1 && v.ordinal() == pivot.get();
        if (ahead.get(v) == UNREACHED && (starts || forwards.hasReceived(v))) {
            ahead.set(v, v.superstep());
            forwards.broadcast(v);
        }
        if (behind.get(v) == UNREACHED && (starts || backwards.hasReceived(v))) {
            behind.set(v, v.superstep());
            backwards.broadcast(v);
        }
        if (ahead.get(v) != UNREACHED && behind.get(v) != UNREACHED) {
            component.set(v, ComponentsCensus.FLOODED);
            v.settle();
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == 0 && candidate.value() != NOBODY) {
            pivot.set(candidate.value());
            master.activateAll();
        }
    }
}
