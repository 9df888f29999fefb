package org.starling.benchmarks.graph500;

import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.Master;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.loaders.KroneckerGraph;

/**
 * Compares a constructed graph with its input, generated anew: every edge of the input is in the
 * rows of both ends, the rows have nothing else, and input degrees are right. Where edges have
 * weights, the lightest of equal ones has been kept.
 *
 * <p>Every node generates the whole input, a range of {@link #RANGE_EDGES} at a time, and keeps the
 * ends that its shards have: supersteps take turns in generating a range and looking it up, so that
 * memory but for an index of ids does not depend on the graph's size and nothing else is sent. An
 * instance belongs to a worker's thread; workers of a node share an {@link InputBoard}.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
final class ConstructionProgram implements ShardProgram {

    static final String NAME = "graph500.construction";

    /** Edges that are generated before they are looked up: at most 32 MiB a node. */
    static final long RANGE_EDGES = 1 << 19;

    /** Aggregator: the most basic {@link Violation}, or {@link Violation#NONE}. */
    static final String VIOLATION = "violation";

    /** Aggregator: number of self-loops in the input. */
    static final String SELF_LOOPS = "selfLoops";

    /** Aggregator: number of entries in all rows. */
    static final String ENTRIES = "entries";

    private final KroneckerGraph graph;
    private final boolean weighted;
    private int neighbourBytes;
    private IntState inputDegree;
    private PerNode<InputBoard> board;
    private IntMirror ids;
    private long vertices;
    private LongAggregator violation;
    private LongAggregator selfLoops;
    private LongAggregator entries;

    ConstructionProgram(KroneckerGraph graph, boolean weighted) {
        this.graph = graph;
        this.weighted = weighted;
    }

    @Override
    public void declare(Declaration declaration) {
        neighbourBytes = declaration.graph().neighbourBytes();
        vertices = declaration.graph().vertices();
        ids = declaration.intMirror("id", 0);
        inputDegree = declaration.existingIntState(Kernels.INPUT_DEGREE);
        board = declaration.perNode("board", () -> new InputBoard(weighted));
        violation = declaration.longAggregator(VIOLATION, LongCombiner.MIN);
        selfLoops = declaration.longAggregator(SELF_LOOPS, LongCombiner.SUM);
        entries = declaration.longAggregator(ENTRIES, LongCombiner.SUM);
    }

    @Override
    public void compute(Shard shard) {
        int superstep = shard.superstep();
        if (superstep == 0) {
            board.get().enter(shard);
            for (long v = shard.first(); v < shard.end(); v++) {
                ids.publish(v, (int) shard.id(v));
            }
        } else if (superstep == lastSuperstep()) {
            conclude(shard);
        } else if (superstep % 2 == 1) {
            generate(shard, superstep / 2 * RANGE_EDGES);
        } else {
            lookUp(shard);
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        if (violation.value() != Violation.NONE || master.superstep() == lastSuperstep()) {
            master.halt();
        } else {
            master.activateAll();
        }
    }

    /** Superstep 0 enters shards, two follow for each range, one concludes. */
    private int lastSuperstep() {
        return Math.toIntExact(2 * Math.ceilDiv(graph.edges(), RANGE_EDGES) + 1);
    }

    private void generate(Shard shard, long first) {
        IdIndex index = board.get().index(ids, vertices);
        if (index.hole() != IdIndex.NO_HOLE) {
            violation.add(ConstructionRule.IDS.brokenAt(index.hole()));
            return;
        }
        long end = Math.min(first + RANGE_EDGES, graph.edges());
        board.get().generate(graph, index, shard, first, end);
    }

    private void lookUp(Shard shard) {
        long missing =
                board.get().tally(shard).compare(new RowReader(shard.adjacency(), neighbourBytes));
        if (missing != ShardTally.NOTHING_MISSING) {
            violation.add(ConstructionRule.MISSING.brokenAt(missing));
        }
    }

    private void conclude(Shard shard) {
        ShardTally tally = board.get().tally(shard);
        Adjacency rows = shard.adjacency();
        for (long v = shard.first(); v < shard.end(); v++) {
            if (rows.degree(v) > 0 && !tally.hasSeenRow(v)) {
                violation.add(ConstructionRule.INVENTED.brokenAt(v));
            }
            if (tally.degree(v) != inputDegree.get(v)) {
                violation.add(ConstructionRule.DEGREE.brokenAt(v));
            }
        }
        selfLoops.add(tally.selfLoops());
        entries.add(tally.entries());
    }
}
