package org.starling.compute;

import org.starling.graph.Declaration;
import org.starling.graph.DoubleState;
import org.starling.graph.DoubleVectorState;
import org.starling.graph.Master;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Adds up what {@link Averages} has left, an element in each superstep. */
public final class Norms implements VertexProgram {
    /** The state it leaves. */
    public static final String NORM = "norm";

    private final int length;
    private DoubleVectorState place;
    private DoubleState norm;

    /** Reads vectors of {@link Averages#LENGTH} elements. */
    public Norms() {
        this(Averages.LENGTH);
    }

    Norms(int length) {
        this.length = length;
    }

    @Override
    public void declare(Declaration graph) {
        place = graph.existingDoubleVectorState(Averages.PLACE, length);
        norm = graph.doubleState(NORM, 0);
        graph.alwaysActive();
    }

    @Override
    public void start(Vertex v) {
        compute(v);
    }

    @Override
    public void compute(Vertex v) {
        norm.set(v, norm.get(v) + place.get(v, v.superstep()));
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == Averages.LENGTH - 1) {
            master.halt();
        }
    }
}
