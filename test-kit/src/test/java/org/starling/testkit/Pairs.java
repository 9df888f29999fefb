package org.starling.testkit;

import org.starling.graph.Declaration;
import org.starling.graph.LongVectorState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Two numbers for each vertex, of which the second may depend on the thread. */
final class Pairs implements VertexProgram {
    private final boolean faulty;
    private LongVectorState pair;

    Pairs(boolean faulty) {
        this.faulty = faulty;
    }

    @Override
    public void declare(Declaration graph) {
        pair = graph.longVectorState("pair", 2);
    }

    @Override
    public void start(Vertex v) {
        pair.set(v, 0, v.id());
        pair.set(v, 1, faulty ? Thread.currentThread().getName().hashCode() : 2 * v.id());
    }

    @Override
    public void compute(Vertex v) {}
}
