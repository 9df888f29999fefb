package org.starling.examples;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.Master;
import org.starling.graph.Topology;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Takes out places where one can only go on: a vertex with two neighbours goes, and an edge between
 * these, as long as the way over it, takes its place. For undirected graphs.
 */
final class Contraction implements VertexProgram {
    /** What vertices publish that stay for now; greater than all ids. */
    private static final long STAYS = Long.MAX_VALUE;

    private Topology topology;
    private LongMirror candidates;
    private LongAggregator gone;

    @Override
    public void declare(Declaration graph) {
        topology = graph.topology();
        candidates = graph.longMirror("candidates", STAYS);
        gone = graph.longAggregator("gone", LongCombiner.SUM);
        graph.alwaysActive();
    }

    @Override
    public void start(Vertex v) {
        candidates.publish(v, v.degree() == 2 ? v.id() : STAYS);
    }

    @Override
    public void compute(Vertex v) {
        if (v.superstep() % 2 == 0) {
            candidates.publish(v, v.degree() == 2 ? v.id() : STAYS);
        } else if (v.degree() == 2) {
            contract(v);
        }
    }

    private void contract(Vertex v) {
        long[] ends = new long[2];
        float length = 0;
        int count = 0;
        for (EdgeCursor edge = v.edges(); edge.next(); ) {
            if (candidates.read(edge.target()) < v.id()) {
                return; // that one goes first
            }
            ends[count++] = edge.target();
            length += edge.weight();
        }
        topology.removeVertex(v);
        topology.addEdge(ends[0], ends[1], length);
        gone.add(1);
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() % 2 == 1 && gone.value() == 0) {
            master.halt();
        }
    }
}
