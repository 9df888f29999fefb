package org.starling.algorithms.scc;

import org.starling.algorithms.chance.SplitMix;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.IntState;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Finds the components that are left, many at a time, round by round.
 *
 * <p>Painting: everybody takes a colour of its own (its ordinal, shuffled by {@link SplitMix}) and
 * passes it on along edges; the smallest wins. Afterwards a vertex that kept its own colour (a
 * root) reaches all who have it. Collecting: against the edges, from roots on, those of the same
 * colour are found who reach the root; they are its component and settle. The next round begins
 * with those who are left. (S. Orzan, "On distributed verification and verified distribution",
 * 2004, chapter 4.)
 *
 * <p>Invariant: along an edge between two who are left, colours do not rise. So of the colours
 * collected from targets none is above the vertex's own, and the largest is its own if there is a
 * member of its component among them. While a vertex is undecided, its component state holds its
 * colour; afterwards the root's ordinal.
 */
final class SccColour implements VertexProgram {
    static final String NAME = "algorithms.scc.colour";

    private LongState component;
    private IntState ahead;
    private IntState behind;
    private LongChannel paint;
    private LongChannel collected;

    /** 1 while components are collected, 0 while colours are passed on. */
    private LongGlobal collecting;

    /** 1 in the first superstep of either. */
    private LongGlobal beginning;

    @Override
    public void declare(Declaration graph) {
        component = graph.existingLongState(StronglyConnectedComponents.COMPONENT);
        ahead = graph.existingIntState(StronglyConnectedComponents.AHEAD);
        behind = graph.existingIntState(StronglyConnectedComponents.BEHIND);
        paint = graph.longChannel("paint", LongCombiner.MIN, EdgeDirection.OUTGOING);
        collected = graph.longChannel("collected", LongCombiner.MAX, EdgeDirection.INCOMING);
        collecting = graph.longGlobal("collecting", 0);
        beginning = graph.longGlobal("beginning", 1);
        graph.resumable();
    }

    @Override
    public void start(Vertex v) {
        if (component.get(v) == StronglyConnectedComponents.UNDECIDED) {
            take(v, SplitMix.mix(v.ordinal()));
        } else {
            v.settle();
        }
    }

    @Override
    public void compute(Vertex v) {
        boolean begins = beginning.get() == 1;
        long own = component.get(v);
        if (collecting.get() == 1) {
            if (begins ? own == SplitMix.mix(v.ordinal()) : collected.received(v) == own) {
                join(v, own);
            }
        } else if (begins) {
            take(v, SplitMix.mix(v.ordinal()));
        } else if (paint.received(v) < own) {
            take(v, paint.received(v));
        }
    }

    private void take(Vertex v, long colour) {
        component.set(v, colour);
        ahead.set(v, v.superstep());
        paint.broadcast(v, colour);
    }

    private void join(Vertex v, long colour) {
        component.set(v, SplitMix.unmix(colour));
        behind.set(v, v.superstep());
        collected.broadcast(v, colour);
        v.settle();
    }

    /**
     * A phase ends when nothing is on its way. Everybody broadcasts at the beginning of painting,
     * so that silence there means that nobody is left.
     */
    @Override
    public void afterSuperstep(Master master) {
        boolean painted = beginning.get() == 1 && collecting.get() == 0;
        boolean silent = master.pending() == 0;
        beginning.set(silent ? 1 : 0);
        if (silent && !painted) {
            collecting.set(1 - collecting.get());
            master.activateAll();
        }
    }

    /** Makes the program; no parameters. */
    public static final class Provider implements ProgramProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public SccColour create(Parameters parameters) {
            return new SccColour();
        }
    }
}
