package org.starling.algorithms.betweenness;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleState;
import org.starling.graph.GraphInfo;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.PhaseGlobal;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Adds up how many vertices lie between each source and everybody it reaches: distances less one.
 * That is what the scores of all vertices must come to, since the shortest paths of a pair count 1
 * in all at every step between its two ends. In the end it looks at every score once.
 *
 * <p>Distances come from breadth-first searches of {@value #BATCH} sources at a time, a bit for
 * each (Then et al., "The more the merrier: efficient multi-source graph traversal", VLDB 2014), so
 * this costs a fraction of the program that it checks, and shares nothing with it.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
public final class BetweennessCheckProgram implements ShardProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.betweenness.check";

    /** Aggregate: smallest ordinal with a score that is negative or no number. */
    public static final String FALSE_SCORE = "falseScore";

    /** Aggregate: smallest ordinal that ends every path to it, and has a score all the same. */
    public static final String FALSE_END = "falseEnd";

    /** Aggregate: sum of all scores. */
    public static final String SUM = "sum";

    /** Aggregate: vertices between sources and those they reach, in all. */
    public static final String BETWEEN = "between";

    private static final int BATCH = Long.SIZE;

    private enum Phase {
        START,
        LEVEL,
        FINISH
    }

    private final long @Nullable [] sources;
    private GraphInfo info;
    private DoubleState betweenness;
    private LongMirror arrived;
    private LongState seen;
    private PhaseGlobal<Phase> phase;
    private LongGlobal batch;
    private LongGlobal level;
    private LongGlobal betweenSoFar;
    private LongAggregator arrivals;
    private LongAggregator between;
    private LongAggregator falseScore;
    private LongAggregator falseEnd;
    private DoubleAggregator sum;

    BetweennessCheckProgram(Parameters parameters) {
        sources = BetweennessProgram.sources(parameters);
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        graph.needsIncomingEdges();
        info = graph.graph();
        betweenness = graph.existingDoubleState(BetweennessProgram.BETWEENNESS);
        arrived = graph.longMirror("arrived", 0);
        seen = graph.longState("betweennessSeen", 0);
        phase = graph.phaseGlobal("phase", Phase.class);
        batch = graph.longGlobal("batch", 0);
        level = graph.longGlobal("level", 0);
        betweenSoFar = graph.longGlobal("betweenSoFar", 0);
        arrivals = graph.longAggregator("arrivals", LongCombiner.SUM);
        between = graph.longAggregator(BETWEEN, LongCombiner.SUM);
        falseScore = graph.longAggregator(FALSE_SCORE, LongCombiner.MIN);
        falseEnd = graph.longAggregator(FALSE_END, LongCombiner.MIN);
        sum = graph.doubleAggregator(SUM, DoubleCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        switch (phase.get()) {
            case START -> start(shard);
            case LEVEL -> spread(shard);
            case FINISH -> finish(shard);
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        switch (phase.get()) {
            case START -> {
                phase.set(Phase.LEVEL);
                level.set(1);
            }
            case LEVEL -> {
                betweenSoFar.set(betweenSoFar.get() + between.value());
                level.set(level.get() + 1);
                if (arrivals.value() == 0) {
                    batch.set(batch.get() + 1);
                    boolean more = batch.get() * BATCH < sourceCount();
                    phase.set(more ? Phase.START : Phase.FINISH);
                }
            }
            case FINISH -> master.halt();
        }
        master.activateAll();
    }

    private long sourceCount() {
        return sources == null ? info.vertices() : sources.length;
    }

    private void start(Shard shard) {
        for (int v = (int) shard.first(); v < shard.end(); v++) {
            seen.set(v, 0);
            publish(v, 0);
        }
        long first = batch.get() * BATCH;
        long end = Math.min(first + BATCH, sourceCount());
        for (long i = first; i < end; i++) {
            long source = sources == null ? i : sources[(int) i];
            if (source >= shard.first() && source < shard.end()) {
                seen.set(source, seen.get(source) | 1L << i);
                arrived.publish(source, seen.get(source));
            }
        }
    }

    private void spread(Shard shard) {
        long count = 0;
        for (int v = (int) shard.first(); v < shard.end(); v++) {
            long known = seen.get(v);
            long fresh = around(shard.incoming(), v) & ~known;
            seen.set(v, known | fresh);
            publish(v, fresh);
            count += Long.bitCount(fresh);
        }
        arrivals.add(count);
        between.add(count * (level.get() - 1));
    }

    private void publish(int vertex, long bits) {
        if (bits != 0 || arrived.read(vertex) != 0) {
            arrived.publish(vertex, bits);
        }
    }

    private long around(Adjacency incoming, int vertex) {
        int degree = incoming.degree(vertex);
        MemorySegment memory = incoming.memory();
        long row = degree == 0 ? 0 : incoming.address(vertex);
        long bits = 0;
        for (int i = 0; i < degree; i++) {
            bits |= arrived.read(memory.get(ValueLayout.JAVA_INT_UNALIGNED, row + 4L * i));
        }
        return bits;
    }

    private void finish(Shard shard) {
        double total = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            double score = betweenness.get(v);
            total += score;
            if (!(score >= 0)) {
                falseScore.add(v);
            }
            if (score > 0 && !isPassable(shard, v)) {
                falseEnd.add(v);
            }
        }
        sum.add(total);
        between.add(shard.index() == 0 ? betweenSoFar.get() : 0);
    }

    /** Whether a path can lead over a vertex at all. */
    private boolean isPassable(Shard shard, long vertex) {
        int out = shard.adjacency().degree(vertex);
        return info.directed() ? out > 0 && shard.incoming().degree(vertex) > 0 : out > 1;
    }
}
