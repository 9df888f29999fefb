package org.starling.algorithms.walks;

import org.starling.algorithms.chance.SplitMix;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.TextOutput;

/**
 * Walks from every vertex of a shard and writes down where it comes.
 *
 * <p>Superstep 0 publishes the original ids, superstep 1 walks. A walk's key is made of the seed,
 * its first vertex's ordinal and its number there; its step t draws the t-th number of the stream
 * that the key names. No allocation per walk.
 */
final class WalkProgram implements ShardProgram {
    static final String NAME = "algorithms.walks";
    static final String LENGTH = "length";
    static final String WALKS_PER_VERTEX = "walksPerVertex";
    static final String SEED = "seed";

    /** Output: one walk per line. */
    static final String WALKS = "walks";

    /** Aggregator: number of steps of all walks. */
    static final String STEPS = "steps";

    private final int length;
    private final int walksPerVertex;
    private final long seed;
    private Adjacency rows;
    private LongMirror ids;
    private LongAggregator steps;
    private TextOutput output;

    WalkProgram(int length, int walksPerVertex, long seed) {
        this.length = length;
        this.walksPerVertex = walksPerVertex;
        this.seed = seed;
    }

    @Override
    public void declare(Declaration graph) {
        rows = graph.wholeGraph();
        ids = graph.longMirror("originalIds", -1);
        steps = graph.longAggregator(STEPS, LongCombiner.SUM);
        output = graph.textOutput(WALKS);
    }

    @Override
    public void compute(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (shard.superstep() == 0) {
                ids.publish(v, shard.id(v));
            } else {
                long stream = SplitMix.at(seed, v);
                for (int walk = 0; walk < walksPerVertex; walk++) {
                    steps.add(walk(v, SplitMix.at(stream, walk)));
                }
            }
        }
    }

    /** Walks, and says how many steps. */
    private int walk(long first, long key) {
        output.number(ids.read(first));
        long at = first;
        int step = 0;
        int degree;
        while (step < length && (degree = rows.degree(at)) > 0) {
            at = rows.neighbour(at, SplitMix.below(SplitMix.at(key, step), degree));
            output.character(' ').number(ids.read(at));
            step++;
        }
        output.endLine();
        return step;
    }

    /**
     * Makes the program; parameters: {@value #LENGTH}, the largest number of steps, {@value
     * #WALKS_PER_VERTEX} and {@value #SEED}.
     */
    public static final class Provider implements ProgramProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public WalkProgram create(Parameters parameters) {
            return new WalkProgram(
                    Math.toIntExact(parameters.integer(LENGTH)),
                    Math.toIntExact(parameters.integer(WALKS_PER_VERTEX)),
                    parameters.integer(SEED));
        }
    }
}
