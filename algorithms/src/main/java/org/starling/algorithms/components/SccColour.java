package org.starling.algorithms.components;

import org.starling.algorithms.chance.SplitMix;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.PhaseGlobal;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Finds the components that are left, many at a time, round by round.
 *
 * <p>Painting: everybody takes a colour of its own, drawn anew in each round, and passes it on
 * along edges; the smallest wins. Afterwards a vertex that kept its own colour (a root) reaches all
 * who have it. Collecting: against the edges, from roots on, those of the same colour are found who
 * reach the root; they are its component. (S. Orzan, "On distributed verification and verified
 * distribution", 2004, chapter 4.) Those who are left and have one colour are a class from then on:
 * no component lies in two classes, and edges between classes count no more.
 *
 * <p>Invariant: along an edge within a class, colours do not rise. So of the colours collected from
 * targets none is above the vertex's own, and the largest is its own if there is a member of its
 * component among them. While a vertex is left, its component state holds its colour; afterwards
 * the root's ordinal.
 *
 * <p>Rounds: let a be the number of those in v's class who reach v. The smallest colour among them
 * is as likely at one as at another; call that vertex m. If m does not lie in v's component, those
 * who stay in v's class and reach it are reached by m and do not reach m; over all m, that is at
 * most every second ordered pair of them, so that a is halved, or better, on average. After 2 log n
 * + t rounds (base 2) a vertex is left with a probability of 2<sup>−t</sup> at most, whatever the
 * graph. (The argument of G. Blelloch, Y. Gu, J. Shun, Y. Sun, "Parallelism in randomized
 * incremental algorithms", J. ACM 67, 2020.) A round takes so many supersteps as its longest way,
 * and O(m log n) messages, expected.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
final class SccColour implements ShardProgram {
    static final String NAME = "algorithms.scc.colour";

    /** Aggregate of the last superstep: number of rounds. */
    static final String ROUNDS = "rounds";

    private enum Phase {
        /** Who is left says to which class it belongs. */
        CLASSIFY,
        /** All who are left take colours of their own. */
        DRAW,
        PAINT,
        /** Roots begin to collect. */
        ROOT,
        COLLECT
    }

    /** Class of who has a component. */
    private static final long NONE = -1;

    /** Class of all others in the first round; later ones are ordinals of roots. */
    private static final long FIRST = -2;

    private LongState component;
    private IntState ahead;
    private IntState behind;
    private LongMirror classes;
    private LongChannel paint;
    private LongChannel collected;
    private PhaseGlobal<Phase> phase;
    private LongGlobal round;
    private LongAggregator left;
    private LongAggregator rounds;

    @Override
    public void declare(Declaration graph) {
        graph.needsIncomingEdges();
        component = graph.existingVertexState(StronglyConnectedComponents.COMPONENT);
        ahead = graph.existingIntState(StronglyConnectedComponents.AHEAD);
        behind = graph.existingIntState(StronglyConnectedComponents.BEHIND);
        classes = graph.longMirror("classes", NONE);
        paint = graph.longChannel("paint", LongCombiner.MIN);
        collected = graph.longChannel("collected", LongCombiner.MAX);
        phase = graph.phaseGlobal("phase", Phase.class);
        round = graph.longGlobal("round", 0);
        left = graph.longAggregator("left", LongCombiner.SUM);
        rounds = graph.longAggregator(ROUNDS, LongCombiner.MAX);
    }

    @Override
    public void compute(Shard shard) {
        switch (phase.get()) {
            case CLASSIFY -> classify(shard);
            case DRAW -> draw(shard);
            case PAINT -> repaint(shard);
            case ROOT -> joinRoots(shard);
            case COLLECT -> collect(shard);
        }
    }

    /** A phase ends when nothing is on its way. */
    @Override
    public void afterSuperstep(Master master) {
        boolean silent = master.pending() == 0;
        switch (phase.get()) {
            case CLASSIFY -> {
                if (left.value() == 0) {
                    master.halt();
                    return;
                }
                phase.set(Phase.DRAW);
            }
            case DRAW, PAINT -> phase.set(silent ? Phase.ROOT : Phase.PAINT);
            case ROOT, COLLECT -> {
                // who joins publishes that, so that something is pending when nobody is called
                phase.set(left.value() == 0 ? Phase.CLASSIFY : Phase.COLLECT);
                round.set(round.get() + (left.value() == 0 ? 1 : 0));
            }
        }
        master.activateAll();
    }

    private void classify(Shard shard) {
        long count = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            if (shard.superstep() == 0) {
                if (component.get(v) == StronglyConnectedComponents.UNDECIDED) {
                    classes.publish(v, FIRST);
                    count++;
                }
            } else if (classes.read(v) != NONE) {
                classes.publish(v, root(component.get(v), round.get() - 1));
                count++;
            }
        }
        left.add(count);
        rounds.add(round.get());
    }

    private void draw(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (classes.read(v) != NONE) {
                take(shard, v, colour(v, round.get()));
            }
        }
    }

    private void repaint(Shard shard) {
        for (long v = paint.nextReceiver(shard.first()); v >= 0; v = paint.nextReceiver(v + 1)) {
            if (paint.received(v) < component.get(v)) {
                take(shard, v, paint.received(v));
            }
        }
    }

    private void take(Shard shard, long v, long colour) {
        component.set(v, colour);
        ahead.set(v, shard.superstep());
        send(shard.adjacency(), v, paint, colour);
    }

    private void joinRoots(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (classes.read(v) != NONE && component.get(v) == colour(v, round.get())) {
                join(shard, v, component.get(v));
            }
        }
    }

    private void collect(Shard shard) {
        for (long v = collected.nextReceiver(shard.first());
                v >= 0;
                v = collected.nextReceiver(v + 1)) {
            if (classes.read(v) != NONE && collected.received(v) == component.get(v)) {
                join(shard, v, component.get(v));
            }
        }
    }

    private void join(Shard shard, long v, long colour) {
        component.set(v, root(colour, round.get()));
        behind.set(v, shard.superstep());
        classes.publish(v, NONE);
        left.add(1);
        send(shard.incoming(), v, collected, colour);
    }

    /** Sends to those of a row who are of the vertex's own class. */
    private void send(Adjacency rows, long v, LongChannel channel, long colour) {
        long own = classes.read(v);
        int degree = rows.degree(v);
        for (int i = 0; i < degree; i++) {
            long neighbour = rows.neighbour(v, i);
            if (classes.read(neighbour) == own) {
                channel.send(neighbour, colour);
            }
        }
    }

    /** A bijection of ordinals, another one in each round. */
    private static long colour(long ordinal, long round) {
        return SplitMix.mix(ordinal ^ SplitMix.mix(round));
    }

    /** Whose own colour this is. */
    private static long root(long colour, long round) {
        return SplitMix.unmix(colour) ^ SplitMix.mix(round);
    }
}
