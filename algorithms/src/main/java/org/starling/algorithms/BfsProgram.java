package org.starling.algorithms;

import org.starling.graph.Declaration;
import org.starling.graph.IntState;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.Vertex;
import org.starling.graph.VertexChannel;
import org.starling.graph.VertexProgram;

/**
 * Level-synchronous breadth-first search: whoever is called for the first time adopts the caller as
 * its parent, calls all neighbours and never reacts again.
 *
 * <p>Method: E. F. Moore, "The shortest path through a maze" (1959). Calling and settling is all it
 * says; from that the engine derives direction optimisation (Beamer, Asanović, Patterson,
 * "Direction-optimizing breadth-first search", SC 2012). One superstep per level; each vertex
 * computes once.
 *
 * <p>Parameter: {@value #SOURCE}, an original id.
 */
final class BfsProgram implements VertexProgram {
    static final String NAME = "algorithms.bfs";
    static final String SOURCE = "source";

    private final long source;
    private IntState level;
    private LongState parent;
    private VertexChannel call;

    BfsProgram(Parameters parameters) {
        source = parameters.integer(SOURCE);
    }

    @Override
    public void declare(Declaration graph) {
        level = graph.intState(Bfs.LEVEL, -1);
        parent = graph.vertexState(Bfs.PARENT);
        call = graph.vertexChannel("call");
        graph.startAt(source);
    }

    @Override
    public void start(Vertex v) {
        adopt(v, v.ordinal());
    }

    @Override
    public void compute(Vertex v) {
        adopt(v, call.received(v));
    }

    private void adopt(Vertex v, long caller) {
        level.set(v, v.superstep());
        parent.set(v, caller);
        call.broadcast(v);
        v.settle();
    }
}
