package org.starling.examples.roads;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.FloatChannel;
import org.starling.graph.FloatCombiner;
import org.starling.graph.FloatState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Shortest paths from one source, by relaxing edges until nothing improves. */
public final class ShortestPaths implements VertexProgram {
    private final long source;
    private FloatState distance;
    private FloatChannel candidate;

    public ShortestPaths(long source) {
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
    public void compute(Vertex v) { // only vertices that received something
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
