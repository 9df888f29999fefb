package org.starling.algorithms.betweenness;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleGlobal;
import org.starling.graph.DoubleMirror;
import org.starling.graph.DoubleState;
import org.starling.graph.GraphInfo;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.PhaseGlobal;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.VertexChannel;

/**
 * Sums the dependencies of sources on every vertex: how many shortest paths from a source lead over
 * it, each pair's paths counting 1 in all.
 *
 * <p>Method: U. Brandes, "A faster algorithm for betweenness centrality" (2001), level by level.
 * Forward, σ(v) = Σ σ(u) over neighbours u one level nearer; backward, δ(v) = σ(v) · Σ (1 + δ(w)) /
 * σ(w) over neighbours w one level farther. Both sums are pulled along a vertex's own row, in its
 * order, so that floating point results do not depend on peers and threads. No level is ever
 * compared on the way: when v is looked at, those of its neighbours that have published are just
 * the ones on the level that counts, since an edge leads at most one level farther.
 *
 * <p>A level is found from the side that has fewer edges: who was reached calls its neighbours as
 * long as these are few, else all that were not reached look around.
 *
 * <p>For each source two supersteps a level and one more, O(m) work (more by what looks around in
 * vain), 12 bytes per vertex of a node beside two mirrors and a channel. If it is told to verify,
 * some sources are judged in one superstep more, before they are forgotten ({@link ShareCheck}).
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
public final class BetweennessProgram implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.betweenness";

    /** Parameter: ordinals of the sources; all vertices if it is not given. */
    public static final String SOURCES = "sources";

    /** Parameter: what sums are multiplied by in the end. */
    public static final String FACTOR = "factor";

    /** Parameter: whether what some sources add is judged. */
    public static final String VERIFY = "verify";

    /** Name of the {@code double} state it leaves. */
    public static final String BETWEENNESS = "betweenness";

    /** Aggregate of the last superstep: sum of the state. */
    public static final String SUM = "sum";

    /** Aggregate of the last superstep: largest number of shortest paths between two vertices. */
    public static final String MOST_PATHS = "mostPaths";

    /**
     * Aggregate of the last superstep: smallest ordinal that a judged source gave a false share.
     */
    public static final String FALSE_SHARE = "falseShare";

    private static final int MAX_VERTICES = Integer.MAX_VALUE - 16;
    private static final int UNREACHED = ShareCheck.UNREACHED;

    /** Calls are made if no more than this share of all edges would carry one. */
    private static final long CALL_SHARE = 64;

    /** One of so many sources is judged, */
    private static final long JUDGED_ONE_IN = 16;

    /** but no more than this number. */
    private static final long MAX_JUDGED = 64;

    private enum Phase {
        /** The last source is forgotten and the next one begins. */
        START,
        FORWARD,
        BACKWARD,
        /** What the source has added is judged. */
        JUDGE,
        FINISH
    }

    private final long @Nullable [] sources;
    private final double factor;
    private final boolean verifies;
    private GraphInfo info;
    private DoubleState betweenness;
    private DoubleMirror paths;
    private DoubleMirror shares;
    private VertexChannel call;
    private PhaseGlobal<Phase> phase;
    private LongGlobal round;
    private LongGlobal level;
    private LongGlobal calling;
    private LongAggregator found;
    private LongAggregator uncalled;
    private DoubleAggregator mostPaths;
    private DoubleGlobal mostSoFar;
    private DoubleAggregator sum;
    private IntState levels;
    private IntMirror distances;
    private @Nullable DoubleState before;
    private LongAggregator falseShare;
    private LongGlobal falseSoFar;
    private ShareCheck check;
    private int entered = -1;
    private long called;

    BetweennessProgram(Parameters parameters) {
        sources = sources(parameters);
        factor = parameters.number(FACTOR);
        verifies = parameters.flag(VERIFY);
    }

    /** Ordinals of the sources; null for all vertices. */
    static long @Nullable [] sources(Parameters parameters) {
        return parameters.has(SOURCES) ? parameters.integers(SOURCES) : null;
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        graph.needsIncomingEdges();
        info = graph.graph();
        if (info.vertices() > MAX_VERTICES) {
            throw new InvalidInputException(
                    "graph \"%s\" has %d vertices, but betweenness takes at most %d"
                            .formatted(info.name(), info.vertices(), MAX_VERTICES));
        }
        betweenness = graph.doubleState(BETWEENNESS, 0);
        paths = graph.doubleMirror("paths", 0);
        shares = graph.doubleMirror("shares", 0);
        call = graph.vertexChannel("call");
        phase = graph.phaseGlobal("phase", Phase.class);
        round = graph.longGlobal("round", 0);
        level = graph.longGlobal("level", 0);
        calling = graph.longGlobal("calling", 1);
        found = graph.longAggregator("found", LongCombiner.SUM);
        uncalled = graph.longAggregator("uncalled", LongCombiner.SUM);
        mostPaths = graph.doubleAggregator(MOST_PATHS, DoubleCombiner.MAX);
        mostSoFar = graph.doubleGlobal("mostSoFar", 0);
        sum = graph.doubleAggregator(SUM, DoubleCombiner.SUM);
        levels = graph.intState("betweennessLevel", UNREACHED);
        distances = graph.intMirror("distances", UNREACHED);
        before = verifies ? graph.doubleState("betweennessBefore", 0) : null;
        falseShare = graph.longAggregator(FALSE_SHARE, LongCombiner.MIN);
        falseSoFar = graph.longGlobal("falseSoFar", LongCombiner.MIN.identity());
        check = new ShareCheck(distances, paths, shares);
    }

    @Override
    public void compute(Shard shard) {
        if (entered != shard.superstep()) {
            entered = shard.superstep();
            called = 0;
        }
        switch (phase.get()) {
            case START -> start(shard);
            case FORWARD -> forward(shard);
            case BACKWARD -> backward(shard);
            case JUDGE -> judge(shard);
            case FINISH -> finish(shard);
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        mostSoFar.set(Math.max(mostSoFar.get(), mostPaths.value()));
        falseSoFar.set(Math.min(falseSoFar.get(), falseShare.value()));
        switch (phase.get()) {
            case START -> {
                phase.set(Phase.FORWARD);
                level.set(1);
                calling.set(uncalled.value() == 0 ? 1 : 0);
            }
            case FORWARD -> {
                calling.set(uncalled.value() == 0 ? 1 : 0);
                if (found.value() > 0) {
                    level.set(level.get() + 1);
                } else {
                    level.set(level.get() - 1);
                    backOrOn();
                }
            }
            case BACKWARD -> {
                level.set(level.get() - 1);
                backOrOn();
            }
            case JUDGE -> nextSource();
            case FINISH -> master.halt();
        }
        master.activateAll();
    }

    /** Goes on backward from the level that is set; at level 0 the source is done. */
    private void backOrOn() {
        if (level.get() > 0) {
            phase.set(Phase.BACKWARD);
        } else if (isJudged()) {
            phase.set(Phase.JUDGE);
        } else {
            nextSource();
        }
    }

    private void nextSource() {
        round.set(round.get() + 1);
        phase.set(round.get() < rounds() ? Phase.START : Phase.FINISH);
    }

    private long rounds() {
        return sources == null ? info.vertices() : sources.length;
    }

    /** Whether the present source is one of those that are judged. */
    private boolean isJudged() {
        long oneIn = Math.max(JUDGED_ONE_IN, Math.ceilDiv(rounds(), MAX_JUDGED));
        return verifies && round.get() % oneIn == 0;
    }

    private long source() {
        int index = (int) round.get();
        return sources == null ? index : index < sources.length ? sources[index] : UNREACHED;
    }

    private void start(Shard shard) {
        for (int v = (int) shard.first(); v < shard.end(); v++) {
            if (levels.get(v) != UNREACHED) {
                levels.set(v, UNREACHED);
                paths.publish(v, 0);
                shares.publish(v, 0);
            }
            if (distances.read(v) != UNREACHED) {
                distances.publish(v, UNREACHED);
            }
            if (before != null && isJudged()) {
                before.set(v, betweenness.get(v));
            }
        }
        long source = source();
        if (source >= shard.first() && source < shard.end()) {
            reach(shard, (int) source, 0, 1);
        }
    }

    private void forward(Shard shard) {
        int here = (int) level.get();
        long count = 0;
        if (calling.get() == 1) {
            for (long v = call.nextReceiver(shard.first()); v >= 0; v = call.nextReceiver(v + 1)) {
                if (levels.get(v) == UNREACHED) {
                    reach(shard, (int) v, here, RowSum.of(shard.incoming(), v, paths));
                    count++;
                }
            }
        } else {
            for (int v = (int) shard.first(); v < shard.end(); v++) {
                if (levels.get(v) == UNREACHED) {
                    double ways = RowSum.of(shard.incoming(), v, paths);
                    if (ways > 0) {
                        reach(shard, v, here, ways);
                        count++;
                    }
                }
            }
        }
        found.add(count);
    }

    private void reach(Shard shard, int vertex, int at, double ways) {
        levels.set(vertex, at);
        if (isJudged()) {
            distances.publish(vertex, at);
        }
        paths.publish(vertex, ways);
        mostPaths.add(ways);
        int degree = shard.adjacency().degree(vertex);
        called += degree;
        if (called > info.storedEdges() / CALL_SHARE) {
            uncalled.add(1);
            return;
        }
        for (int i = 0; i < degree; i++) {
            call.send(shard.adjacency().neighbour(vertex, i), vertex);
        }
    }

    private void backward(Shard shard) {
        int here = (int) level.get();
        for (int v = (int) shard.first(); v < shard.end(); v++) {
            if (levels.get(v) == here) {
                double ways = paths.read(v);
                double dependency = ways * RowSum.of(shard.adjacency(), v, shares);
                betweenness.set(v, betweenness.get(v) + dependency);
                shares.publish(v, (1 + dependency) / ways);
            }
        }
    }

    private void judge(Shard shard) {
        DoubleState scores = Objects.requireNonNull(before);
        long source = source();
        for (int v = (int) shard.first(); v < shard.end(); v++) {
            if (!check.holds(shard, v, v == source, scores.get(v), betweenness.get(v))) {
                falseShare.add(v);
            }
        }
    }

    private void finish(Shard shard) {
        double total = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            double score = betweenness.get(v) * factor;
            betweenness.set(v, score);
            total += score;
        }
        sum.add(total);
        mostPaths.add(mostSoFar.get());
        falseShare.add(falseSoFar.get());
    }
}
