package org.starling.examples;

import org.starling.graph.Declaration;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.Master;
import org.starling.graph.PhaseGlobal;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * How wide a graph is at least: steps from a source to whatever is farthest, then steps back from
 * there. The greatest of these is no more than the diameter, and in most graphs it is the diameter.
 */
final class TwoSweeps implements VertexProgram {
    /** An ordinal has 40 bits. */
    private static final int STEPS_SHIFT = 40;

    private enum Phase {
        OUT,
        TURN,
        BACK
    }

    private final long source;
    private PhaseGlobal<Phase> phase;
    private IntState out;
    private IntState back;
    private IntChannel step;
    private LongAggregator reached;
    private LongGlobal farthest;

    TwoSweeps(long source) {
        this.source = source;
    }

    @Override
    public void declare(Declaration graph) {
        phase = graph.phaseGlobal("phase", Phase.class);
        out = graph.intState("stepsOut", -1);
        back = graph.intState("stepsBack", -1);
        step = graph.intChannel("step", IntCombiner.MIN);
        reached = graph.longAggregator("reached", LongCombiner.MAX);
        farthest = graph.longGlobal("farthest", 0);
        graph.startAt(source);
    }

    @Override
    public void start(Vertex v) {
        reach(v, out, 0);
    }

    @Override
    public void compute(Vertex v) {
        switch (phase.get()) {
            case OUT -> reach(v, out, step.received(v));
            case TURN -> {
                if (v.ordinal() == ordinal(farthest.get())) {
                    reach(v, back, 0);
                }
            }
            case BACK -> reach(v, back, step.received(v));
        }
    }

    private void reach(Vertex v, IntState distance, int steps) {
        if (distance.get(v) < 0) {
            distance.set(v, steps);
            reached.add((long) steps << STEPS_SHIFT | v.ordinal());
            step.broadcast(v, steps + 1);
        }
    }

    private static long ordinal(long stepsAndOrdinal) {
        return stepsAndOrdinal & (1L << STEPS_SHIFT) - 1;
    }

    @Override
    public void afterSuperstep(Master master) {
        farthest.set(Math.max(farthest.get(), reached.value()));
        if (phase.is(Phase.OUT) && master.pending() == 0) {
            phase.set(Phase.TURN);
            master.activateAll();
        } else if (phase.is(Phase.TURN)) {
            phase.set(Phase.BACK);
        }
    }
}
