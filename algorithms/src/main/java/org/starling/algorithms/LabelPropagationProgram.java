package org.starling.algorithms;

import java.util.Arrays;
import org.starling.algorithms.chance.SplitMix;
import org.starling.algorithms.orientation.Sample;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphInfo;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.VertexChannel;

/**
 * Rounds of label propagation, one a superstep, behind a superstep 0 that publishes ids. Labels are
 * ordinals; of equally frequent ones the ids are compared.
 *
 * <p>Who has a new label publishes it and calls its neighbours; who was not called keeps its label,
 * since it would count the same labels again. So rounds become cheaper as labels come to rest, and
 * when all have, the program ends: no further round would change anything.
 *
 * <p>If told so, it has each round judged as it is made, while the labels before it are still
 * there: everybody's label before must be the published one, and of about {@link #SAMPLED_VERTICES}
 * vertices, others in each round and whether they were called or not, labels are found again by
 * {@link LabelRecount}. The first round with a wrong label is the last one.
 *
 * <p>Parameters: {@value #ITERATIONS}, the number of rounds, and {@value #VERIFY}.
 */
final class LabelPropagationProgram implements ShardProgram {
    static final String NAME = "algorithms.labels";
    static final String ITERATIONS = "iterations";

    /** Parameter: whether rounds are judged. */
    static final String VERIFY = "verify";

    /** Aggregator: smallest ordinal with a wrong label in the last round. */
    static final String WRONG = "wrong";

    /** Expected number of vertices whose neighbours' labels are counted again in a round. */
    static final int SAMPLED_VERTICES = 1 << 13;

    /** Most vertices: labels take 4 bytes, and all ones mean {@link #NONE}. */
    private static final long MAX_VERTICES = (1L << Integer.SIZE) - 1;

    /** Published label of those who still have their own ordinal. */
    private static final int NONE = -1;

    private static final long SEED = 20_261_121L;

    private final int iterations;
    private final boolean verifies;
    private final LabelCount count = new LabelCount();
    private final Sample sample = new Sample(SEED);
    private int[] neighbours = new int[64];
    private boolean directed;
    private boolean narrow;
    private long oneIn;
    private IntState label;
    private IntMirror labels;
    private LongMirror ids;
    private VertexChannel changed;
    private LongAggregator wrong;
    private LabelRecount recount;

    LabelPropagationProgram(Parameters parameters) {
        iterations = Math.toIntExact(parameters.integer(ITERATIONS));
        verifies = parameters.flag(VERIFY);
    }

    @Override
    public void declare(Declaration graph) {
        GraphInfo info = graph.graph();
        if (info.vertices() > MAX_VERTICES) {
            throw new InvalidInputException(
                    "graph \"%s\" has %d vertices, but label propagation takes at most %d"
                            .formatted(info.name(), info.vertices(), MAX_VERTICES));
        }
        graph.needsIncomingEdges();
        directed = info.directed();
        narrow = info.neighbourBytes() == Integer.BYTES;
        oneIn = Math.max(1, info.vertices() / SAMPLED_VERTICES);
        graph.expectSupersteps(iterations + 1L);
        label = graph.intState(LabelPropagation.LABEL, 0);
        labels = graph.intMirror("labels", NONE);
        ids = graph.longMirror("ids", 0);
        changed = graph.vertexChannel("changed", EdgeDirection.BOTH);
        wrong = graph.longAggregator(WRONG, LongCombiner.MIN);
        recount = new LabelRecount(directed, this::published, this::id);
    }

    @Override
    public void compute(Shard shard) {
        if (shard.superstep() == 0) {
            for (long v = shard.first(); v < shard.end(); v++) {
                ids.publish(v, shard.id(v));
            }
            return;
        }
        boolean first = shard.superstep() == 1;
        for (long v = shard.first(); v < shard.end(); v++) {
            int own = first ? (int) v : label.get(v);
            int next = first || changed.hasReceived(v) ? next(shard, v, own) : own;
            if (first || next != own) {
                label.set(v, next);
            }
            if (next != own) {
                labels.publish(v, next);
                changed.broadcast(v);
            }
            if (verifies && (own != published(v) || !isRight(shard, v))) {
                wrong.add(v);
            }
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == iterations || wrong.value() != LongCombiner.MIN.identity()) {
            master.halt();
        }
    }

    private boolean isRight(Shard shard, long v) {
        return !sample.takes(SplitMix.at(shard.superstep(), v), oneIn)
                || recount.winner(shard, v) == label.get(v);
    }

    private int published(long v) {
        int published = labels.read(v);
        return published == NONE ? (int) v : published;
    }

    private long id(int ordinal) {
        return ids.read(Integer.toUnsignedLong(ordinal));
    }

    private int next(Shard shard, long v, int own) {
        int degree = gather(shard.adjacency(), v, 0);
        if (directed) {
            degree = gather(shard.incoming(), v, degree);
        }
        return degree == 0 ? own : count.mostFrequent(neighbours, degree, this::id);
    }

    /** Appends the labels of a row's vertices; the number of labels then. */
    private int gather(Adjacency rows, long v, int from) {
        int end = Math.addExact(from, rows.degree(v));
        if (end > neighbours.length) {
            neighbours = Arrays.copyOf(neighbours, Math.max(end, from + end / 2));
        }
        if (narrow) {
            rows.copy(v, neighbours, from);
        } else {
            for (int i = from; i < end; i++) {
                neighbours[i] = (int) rows.neighbour(v, i - from);
            }
        }
        for (int i = from; i < end; i++) {
            int published = labels.read(Integer.toUnsignedLong(neighbours[i]));
            if (published != NONE) {
                neighbours[i] = published;
            }
        }
        return end;
    }
}
