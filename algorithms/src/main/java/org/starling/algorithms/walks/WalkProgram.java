package org.starling.algorithms.walks;

import org.starling.algorithms.chance.SplitMix;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.Parameters;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.TextOutput;

/**
 * Walks from every vertex of a shard and writes down where it comes.
 *
 * <p>Superstep 0 publishes the original ids, superstep 1 walks. A walk's key is made of the seed,
 * its first vertex's id and its number there; its step t draws the t-th number of the stream that
 * the key names, and by it chooses among the edges of the vertex where it is, all of them alike or
 * by their weights ({@link WeightedStep}).
 *
 * <p>Parameters: {@value #LENGTH}, the largest number of steps, {@value #WALKS_PER_VERTEX}, {@value
 * #SEED} and {@value #WEIGHTED}.
 */
final class WalkProgram implements ShardProgram {
    static final String NAME = "algorithms.walks";
    static final String LENGTH = "length";
    static final String WALKS_PER_VERTEX = "walksPerVertex";
    static final String SEED = "seed";

    /** Parameter: whether edges are as likely as they weigh. */
    static final String WEIGHTED = "weighted";

    /** Output: one walk per line. */
    static final String WALKS = "walks";

    /** Aggregator: number of steps of all walks. */
    static final String STEPS = "steps";

    private final int length;
    private final int walksPerVertex;
    private final long seed;
    private final boolean weighted;
    private Adjacency rows;
    private LongMirror ids;
    private LongAggregator steps;
    private TextOutput output;
    private PerNode<WeightedStep> choice;

    WalkProgram(Parameters parameters) {
        length = Math.toIntExact(parameters.integer(LENGTH));
        walksPerVertex = Math.toIntExact(parameters.integer(WALKS_PER_VERTEX));
        seed = parameters.integer(SEED);
        weighted = parameters.flag(WEIGHTED);
    }

    @Override
    public void declare(Declaration graph) {
        Adjacency whole = graph.wholeGraph();
        long vertices = graph.graph().vertices();
        rows = whole;
        choice = graph.perNode("choice", () -> new WeightedStep(whole, vertices));
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
                for (int walk = 0; walk < walksPerVertex; walk++) {
                    steps.add(walk(v, key(seed, shard.id(v), walk)));
                }
            }
        }
    }

    /** Key of one of the walks from a vertex. */
    static long key(long seed, long firstId, long walk) {
        return SplitMix.at(SplitMix.at(seed, firstId), walk);
    }

    /** Walks, and says how many steps. */
    private int walk(long first, long key) {
        output.vertex(ids.read(first));
        long at = first;
        int step = 0;
        int edge;
        while (step < length && (edge = choose(at, SplitMix.at(key, step))) >= 0) {
            at = rows.neighbour(at, edge);
            output.character(' ').vertex(ids.read(at));
            step++;
        }
        output.endLine();
        return step;
    }

    /** Index of the edge to follow; below 0 if there is none. */
    private int choose(long vertex, long draw) {
        if (weighted) {
            return choice.get().index(vertex, draw);
        }
        int degree = rows.degree(vertex);
        return degree == 0 ? WeightedStep.NONE : SplitMix.below(draw, degree);
    }
}
