package org.starling.algorithms.components;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.LongState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Takes vertices away that no edge leads to or from which none leads, until all that remain have
 * both: who was taken lies on no cycle and is a component alone.
 *
 * <p>While it runs, and for those who remain afterwards, the witness states count edges from and to
 * others who remain. Each edge carries at most one message each way. As many supersteps as the
 * longest way among those who are taken has vertices; each costs what it takes away.
 */
final class SccTrim implements VertexProgram {
    static final String NAME = "algorithms.scc.trim";

    private LongState component;
    private IntState ahead;
    private IntState behind;
    private IntChannel lostSources;
    private IntChannel lostTargets;

    @Override
    public void declare(Declaration graph) {
        graph.needsIncomingEdges();
        component =
                graph.vertexState(
                        StronglyConnectedComponents.COMPONENT,
                        StronglyConnectedComponents.UNDECIDED);
        ahead = graph.intState(StronglyConnectedComponents.AHEAD, 0);
        behind = graph.intState(StronglyConnectedComponents.BEHIND, 0);
        lostSources = graph.intChannel("lostSources", IntCombiner.SUM, EdgeDirection.OUTGOING);
        lostTargets = graph.intChannel("lostTargets", IntCombiner.SUM, EdgeDirection.INCOMING);
    }

    @Override
    public void start(Vertex v) {
        stayOrLeave(v, v.inDegree(), v.degree());
    }

    @Override
    public void compute(Vertex v) {
        stayOrLeave(
                v, ahead.get(v) - lostSources.received(v), behind.get(v) - lostTargets.received(v));
    }

    private void stayOrLeave(Vertex v, int sources, int targets) {
        ahead.set(v, sources);
        behind.set(v, targets);
        if (sources == 0 || targets == 0) {
            component.set(v, v.ordinal());
            lostSources.broadcast(v, 1);
            lostTargets.broadcast(v, 1);
            v.settle();
        }
    }
}
