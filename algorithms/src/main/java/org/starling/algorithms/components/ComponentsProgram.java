package org.starling.algorithms.components;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.IntState;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.Vertex;
import org.starling.graph.VertexChannel;
import org.starling.graph.VertexProgram;

/**
 * Floods the component of one vertex, then labels all others with their smallest ordinals.
 *
 * <p>Most graphs that people bring have one giant component and dust. Flooding is a breadth-first
 * search without levels and looks at few edges of the giant (the engine stops at a vertex's first
 * caller, and vertices that were flooded settle); passing on minima, which looks at every edge
 * several times, is left for the dust. The idea of treating the giant apart: G. Slota, S.
 * Rajamanickam, K. Madduri, "BFS and coloring-based parallel algorithms for strongly connected
 * components and related problems" (IPDPS 2014).
 *
 * <p>Flooded vertices keep {@link #FLOODED} as their component, since nobody knows its smallest
 * ordinal yet. Supersteps: the eccentricity of the start, then at most the largest diameter among
 * the other components, and a few.
 *
 * <p>Parameter: {@value #HUB}, the original id of the vertex to flood from.
 */
final class ComponentsProgram implements VertexProgram {
    static final String NAME = "algorithms.components";
    static final String HUB = "hub";

    /** Component of those who were flooded, and of all who have no label yet. */
    private static final long FLOODED = ComponentsCensus.FLOODED;

    private final long hub;
    private LongState component;
    private IntState step;
    private VertexChannel flood;
    private LongChannel label;

    /** 0 while the flood is rising, 1 from then on. */
    private LongGlobal labelling;

    ComponentsProgram(Parameters parameters) {
        hub = parameters.integer(HUB);
    }

    @Override
    public void declare(Declaration graph) {
        component = graph.vertexState(ConnectedComponents.COMPONENT);
        step = graph.intState(ConnectedComponents.STEP, 0);
        flood = graph.vertexChannel("flood", EdgeDirection.BOTH);
        label = graph.longChannel("label", LongCombiner.MIN, EdgeDirection.BOTH);
        labelling = graph.longGlobal("labelling", 0);
        graph.startAt(hub);
    }

    @Override
    public void start(Vertex v) {
        drown(v);
    }

    @Override
    public void compute(Vertex v) {
        if (flood.hasReceived(v)) {
            drown(v);
        } else {
            relabel(v);
        }
    }

    private void drown(Vertex v) {
        step.set(v, v.superstep());
        flood.broadcast(v);
        v.settle();
    }

    private void relabel(Vertex v) {
        long offered = Math.min(v.ordinal(), label.received(v));
        long own = component.get(v);
        if (own == FLOODED || offered < own) {
            component.set(v, offered);
            step.set(v, v.superstep());
            label.broadcast(v, offered);
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.pending() == 0 && labelling.get() == 0) {
            labelling.set(1);
            master.activateAll();
        }
    }
}
