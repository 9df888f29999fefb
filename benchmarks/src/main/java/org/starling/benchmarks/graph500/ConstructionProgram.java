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
import org.starling.graph.Team;
import org.starling.graph.TeamProgram;
import org.starling.loaders.KroneckerGraph;

/**
 * Compares a constructed graph with its input, generated anew: every edge of the input is in the
 * rows of both ends, the rows have nothing else, and input degrees are right. Where edges have
 * weights, the lightest of equal ones has been kept.
 *
 * <p>Every node generates the whole input and looks up the ends that its shards have, so nothing
 * but ids is sent. The first superstep publishes these, in the second the workers of a node share
 * the input by an {@link InputTally}, the third looks at what was found. An instance belongs to a
 * worker's thread.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
final class ConstructionProgram implements TeamProgram {
    static final String NAME = "graph500.construction";

    /** Aggregator: the most basic {@link Rule} that is broken, or that none is. */
    static final String VIOLATION = "violation";

    /** Aggregator: number of self-loops in the input. */
    static final String SELF_LOOPS = "selfLoops";

    /** Aggregator: number of entries in all rows. */
    static final String ENTRIES = "entries";

    private static final int LOOKING_UP = 1;
    private static final int CONCLUDING = 2;

    private final KroneckerGraph graph;
    private final boolean weighted;
    private int neighbourBytes;
    private IntState inputDegree;
    private PerNode<InputTally> tally;
    private IntMirror ids;
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
        ids = declaration.intMirror("id", 0);
        inputDegree = declaration.existingIntState(Kernels.INPUT_DEGREE);
        tally = declaration.perNode("tally", () -> new InputTally(graph, weighted));
        violation = declaration.longAggregator(VIOLATION, LongCombiner.MIN);
        selfLoops = declaration.longAggregator(SELF_LOOPS, LongCombiner.SUM);
        entries = declaration.longAggregator(ENTRIES, LongCombiner.SUM);
    }

    /** Each node keeps a tally of the input, which only its first superstep makes. */
    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public void compute(Shard shard) {
        switch (shard.superstep()) {
            case LOOKING_UP -> {
                long wrong = tally.get().index(ids);
                if (wrong != InputTally.NOTHING_WRONG) {
                    violation.add(Rule.IDS.brokenAt(wrong));
                }
            }
            case CONCLUDING -> conclude(shard);
            default -> {
                tally.get().enter(shard);
                for (long v = shard.first(); v < shard.end(); v++) {
                    ids.publish(v, (int) shard.id(v));
                }
            }
        }
    }

    @Override
    public void together(Team team) {
        if (team.superstep() == LOOKING_UP) {
            long missing = tally.get().lookUp(team, neighbourBytes);
            if (missing != InputTally.NOTHING_WRONG) {
                violation.add(Rule.MISSING.brokenAt(missing));
            }
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        if (violation.value() != Rule.NOTHING_BROKEN || master.superstep() == CONCLUDING) {
            master.halt();
        } else {
            master.activateAll();
        }
    }

    private void conclude(Shard shard) {
        InputTally.Part part = tally.get().part(shard);
        Adjacency rows = shard.adjacency();
        for (long v = shard.first(); v < shard.end(); v++) {
            if (rows.degree(v) > 0 && !part.hasSeenRow(v)) {
                violation.add(Rule.INVENTED.brokenAt(v));
            }
            if (part.degree(v) != inputDegree.get(v)) {
                violation.add(Rule.DEGREE.brokenAt(v));
            }
        }
        selfLoops.add(part.selfLoops());
        entries.add(part.entries());
    }
}
