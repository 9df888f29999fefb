package org.starling.algorithms.sssp;

import org.jspecify.annotations.Nullable;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.FloatChannel;
import org.starling.graph.FloatCombiner;
import org.starling.graph.FloatState;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.PhaseGlobal;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Checks the states that a search left.
 *
 * <p>Rules: (1) distances are not negative, and the source's is 0; (2) no edge brings its end
 * nearer than it is, so that no path is shorter than a distance; (3) every vertex reached but the
 * source has <em>ground</em>: a neighbour nearer than itself over which its distance comes out
 * exactly, or one as far away that has ground itself. By (3) there is a path of that length. A
 * cycle of edges without weight cannot hold itself up, since ground is handed on from vertices that
 * have it, level by level. Where parents were kept, (3) is asked of the parent alone, so that
 * parents form a tree, rooted at the source.
 *
 * <p>Two supersteps and one look at every edge; then, only if some vertices wait for ground from
 * equals, one more for each level of such.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
public final class SsspCheckProgram implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.sssp.check";

    /** Aggregate: smallest ordinal whose distance is negative or no number. */
    public static final String FALSE_DISTANCE = "falseDistance";

    /** Aggregate: smallest ordinal of another vertex than the source at the root of a tree. */
    public static final String FALSE_ROOT = "falseRoot";

    /** Aggregate: smallest ordinal that a neighbour would bring nearer. */
    public static final String FALSE_EDGE = "falseEdge";

    /** Aggregate: smallest ordinal that no path from the source explains. */
    public static final String GROUNDLESS = "groundless";

    /** Aggregate: smallest ordinal that was not reached and has a parent all the same. */
    public static final String FALSE_ORPHAN = "falseOrphan";

    /** Aggregate: vertices that are the source, with distance 0: one. */
    public static final String ROOTS = "roots";

    private enum Phase {
        PUBLISH,
        SWEEP,
        /** All that have ground hand it on to equals. */
        HAND_ON,
        /** Those that have got it hand it on. */
        LEVEL,
        CONCLUDE
    }

    private static final long NOBODY = LongCombiner.MIN.identity();
    private static final int NO_PARENT = -1;
    private static final int FAR = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private final long source;
    private final String state;
    private final String parents;
    private FloatState distance;
    private @Nullable LongState parent;
    private IntState ground;
    private IntMirror distances;
    private LongMirror before;
    private FloatChannel handed;
    private PhaseGlobal<Phase> phase;
    private LongAggregator falseDistance;
    private LongAggregator falseRoot;
    private LongAggregator falseEdge;
    private LongAggregator falseOrphan;
    private LongAggregator groundless;
    private LongAggregator roots;

    SsspCheckProgram(Parameters parameters) {
        source = parameters.integer(SsspProgram.SOURCE);
        state = parameters.text(SsspProgram.STATE, SsspProgram.DISTANCE);
        parents = parameters.text(SsspProgram.PARENTS, "");
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsIncomingEdges();
        distance = graph.existingFloatState(state);
        parent = parents.isEmpty() ? null : graph.existingVertexState(parents);
        ground = graph.intState("distanceGround", 0);
        distances = graph.intMirror("distances", FAR);
        before = graph.longMirror("before", NO_PARENT);
        handed = graph.floatChannel("handed", FloatCombiner.MIN);
        phase = graph.phaseGlobal("phase", Phase.class);
        falseDistance = graph.longAggregator(FALSE_DISTANCE, LongCombiner.MIN);
        falseRoot = graph.longAggregator(FALSE_ROOT, LongCombiner.MIN);
        falseEdge = graph.longAggregator(FALSE_EDGE, LongCombiner.MIN);
        falseOrphan = graph.longAggregator(FALSE_ORPHAN, LongCombiner.MIN);
        groundless = graph.longAggregator(GROUNDLESS, LongCombiner.MIN);
        roots = graph.longAggregator(ROOTS, LongCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        switch (phase.get()) {
            case PUBLISH -> publish(shard);
            case SWEEP -> sweep(shard);
            case HAND_ON -> {
                for (long v = shard.first(); v < shard.end(); v++) {
                    handOn(shard.adjacency(), v);
                }
            }
            case LEVEL -> level(shard);
            case CONCLUDE -> conclude(shard);
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        Phase next =
                switch (phase.get()) {
                    case PUBLISH -> Phase.SWEEP;
                    case SWEEP ->
                            nothingElseWrong() && groundless.value() != NOBODY
                                    ? Phase.HAND_ON
                                    : null;
                    case HAND_ON, LEVEL -> master.pending() > 0 ? Phase.LEVEL : Phase.CONCLUDE;
                    case CONCLUDE -> null;
                };
        if (next == null) {
            master.halt();
        } else {
            phase.set(next);
            master.activateAll();
        }
    }

    private boolean nothingElseWrong() {
        return falseDistance.value() == NOBODY
                && falseRoot.value() == NOBODY
                && falseEdge.value() == NOBODY
                && falseOrphan.value() == NOBODY
                && roots.value() == 1;
    }

    private void publish(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            distances.publish(v, Float.floatToRawIntBits(distance.get(v)));
            if (parent != null) {
                before.publish(v, parent.get(v));
            }
        }
    }

    private void sweep(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            float own = distance.get(v);
            if (!(own >= 0)) {
                falseDistance.add(v);
            }
            boolean root = shard.id(v) == source;
            if (root) {
                roots.add(own == 0 ? 1 : 0);
            }
            checkParent(v, own, root);
            boolean grounded = checkRow(shard.incoming(), v, own) || root;
            ground.set(v, grounded ? 1 : 0);
            if (!grounded && own < Float.POSITIVE_INFINITY) {
                groundless.add(v);
            }
        }
    }

    private void checkParent(long v, float own, boolean root) {
        long above = parent == null ? NO_PARENT : parent.get(v);
        if (parent != null && (above == v) != root) {
            falseRoot.add(v);
        }
        if (own == Float.POSITIVE_INFINITY && above != NO_PARENT) {
            falseOrphan.add(v);
        }
    }

    /** Looks at all edges that end at a vertex; says whether it has ground. */
    private boolean checkRow(Adjacency incoming, long v, float own) {
        boolean grounded = false;
        int degree = incoming.degree(v);
        for (int i = 0; i < degree; i++) {
            long neighbour = incoming.neighbour(v, i);
            float there = Float.intBitsToFloat(distances.read(neighbour));
            float length = there + incoming.weight(v, i);
            if (length < own) {
                falseEdge.add(v);
            }
            grounded |=
                    length == own && there < own && (parent == null || parent.get(v) == neighbour);
        }
        return grounded;
    }

    private void handOn(Adjacency rows, long v) {
        float own = distance.get(v);
        if (ground.get(v) == 0 || own == Float.POSITIVE_INFINITY) {
            return;
        }
        int degree = rows.degree(v);
        for (int i = 0; i < degree; i++) {
            long target = rows.neighbour(v, i);
            if (own + rows.weight(v, i) == own && (parent == null || before.read(target) == v)) {
                handed.send(target, own);
            }
        }
    }

    private void level(Shard shard) {
        for (long v = handed.nextReceiver(shard.first()); v >= 0; v = handed.nextReceiver(v + 1)) {
            if (ground.get(v) == 0 && handed.received(v) == distance.get(v)) {
                ground.set(v, 1);
                handOn(shard.adjacency(), v);
            }
        }
    }

    private void conclude(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (ground.get(v) == 0 && distance.get(v) < Float.POSITIVE_INFINITY) {
                groundless.add(v);
            }
            if (shard.id(v) == source) {
                roots.add(distance.get(v) == 0 ? 1 : 0);
            }
        }
    }
}
