package org.starling.compute;

import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphInfo;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Topology;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Changes its graph in each superstep by lot, in every way that a program can, and remembers what
 * it sees of it. What it does depends on the seed and on ids alone; {@link RewiringModel} does the
 * same the simple way.
 */
public final class Rewiring implements VertexProgram {
    /** What each vertex has seen, as one number. */
    public static final String SEEN = "seen";

    /** A neighbour that each vertex has remembered. */
    public static final String FRIEND = "friend";

    private final long seed;
    private final int steps;
    private final boolean goesOn;
    private GraphInfo graph;
    private Topology topology;
    private LongState seen;
    private LongState friend;
    private LongChannel calls;
    private LongChannel letters;
    private LongMirror ids;

    /**
     * A program.
     *
     * @param steps supersteps with changes
     * @param goesOn whether there is a superstep behind the last change
     */
    public Rewiring(long seed, int steps, boolean goesOn) {
        this.seed = seed;
        this.steps = steps;
        this.goesOn = goesOn;
    }

    @Override
    public void declare(Declaration declaration) {
        graph = declaration.graph();
        topology = declaration.topology();
        seen = declaration.longState(SEEN, 5);
        friend = declaration.vertexState(FRIEND);
        calls = declaration.longChannel("calls", LongCombiner.SUM, EdgeDirection.OUTGOING);
        letters = declaration.longChannel("letters", LongCombiner.SUM, EdgeDirection.OUTGOING);
        ids = declaration.longMirror("ids", -1);
        declaration.alwaysActive();
    }

    @Override
    public void start(Vertex v) {
        ids.publish(v, v.id());
        act(v);
    }

    @Override
    public void compute(Vertex v) {
        act(v);
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == (goesOn ? steps : steps - 1)) {
            master.halt();
        }
    }

    /** A number between 0 and 2^31 - 1 that depends on all of these. */
    static int lot(long seed, long a, long b, long c) {
        long x = seed * 0x9E3779B97F4A7C15L + a;
        for (long next : new long[] {b, c, 77}) {
            x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
            x = (x ^ x >>> 27) * 0x94D049BB133111EBL + next;
        }
        return (int) (x >>> 33);
    }

    /** A weight that sums keep exactly. */
    static float weight(int lot) {
        return (lot % 64) / 4f;
    }

    /** An id that a lot names: of somebody who may be there, or not. */
    static long named(int lot) {
        return lot % 1_200;
    }

    private void act(Vertex v) {
        int step = v.superstep();
        long id = v.id();
        long value = seen.get(v) * 31 + calls.received(v) + 3 * letters.received(v);
        double weights = 0;
        for (EdgeCursor edge = v.edges(); edge.next(); ) {
            weights += edge.weight();
        }
        value += 7L * v.degree() + (long) (weights * 4);
        if (graph.directed() && graph.incoming()) {
            value += 13L * v.inDegree();
        }
        seen.set(v, value);
        calls.broadcast(v, id * 17 + step);
        long greatest = -1;
        for (EdgeCursor edge = v.edges(); edge.next(); ) {
            long other = ids.read(edge.target());
            if (other >= 0) {
                actOn(v, edge.target(), other, step);
            }
            if (other > greatest && lot(seed, step, id, other) % 97 == 1) {
                greatest = other;
                friend.set(v, edge.target());
            }
        }
        if (step < steps) {
            change(v, id, lot(seed, step, id, -1));
        }
    }

    private void actOn(Vertex v, long target, long other, int step) {
        int lot = lot(seed, step, v.id(), other);
        if (lot % 4 == 0) {
            letters.send(target, lot);
        }
        if (step >= steps) {
            return;
        }
        if (lot % 11 == 2) {
            topology.removeEdge(v.ordinal(), target);
        }
        if (lot % 13 == 3) {
            topology.addEdge(target, v.ordinal(), weight(lot / 13));
        }
        if (lot % 101 == 4) {
            topology.removeVertex(target);
        }
    }

    private void change(Vertex v, long id, int lot) {
        switch (lot % 23) {
            case 0 -> topology.addEdgeById(id, named(lot / 23), weight(lot / 29));
            case 1 -> topology.addEdgeById(named(lot / 23), named(lot / 7), weight(lot / 29));
            case 2 -> topology.removeEdgeById(named(lot / 23), id);
            case 3 -> topology.addVertex(named(lot / 23));
            case 4 -> {
                if (lot % 3 == 0) {
                    topology.removeVertexById(named(lot / 23));
                }
            }
            case 5 -> {
                if (lot % 4 == 0) {
                    topology.removeVertex(v);
                }
            }
            default -> {}
        }
    }
}
