package org.starling.testkit;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.FloatChannel;
import org.starling.graph.FloatCombiner;
import org.starling.graph.FloatState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Shortest paths, right. */
final class Hops implements VertexProgram {
    private final long source;
    private FloatState distance;
    private FloatChannel candidate;

    Hops(long source) {
        this.source = source;
    }

    @Override
    public void declare(Declaration graph) {
        distance = graph.floatState("distance", Float.POSITIVE_INFINITY);
        candidate = graph.floatChannel("candidate", FloatCombiner.MIN);
        graph.startAt(source);
    }

    @Override
    public void start(Vertex v) {
        improve(v, 0f);
    }

    @Override
    public void compute(Vertex v) {
        float offered = candidate.received(v);
        if (offered < distance.get(v)) {
            improve(v, offered);
        }
    }

    private void improve(Vertex v, float d) {
        distance.set(v, d);
        for (EdgeCursor edge = v.edges(); edge.next(); ) {
            candidate.send(edge.target(), d + edge.weight());
        }
    }
}
