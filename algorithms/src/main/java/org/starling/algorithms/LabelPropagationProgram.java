package org.starling.algorithms;

import java.util.Arrays;
import org.starling.graph.Adjacency;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeDirection;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.VertexChannel;

/**
 * Rounds of label propagation, one a superstep. Labels are ordinals, which are in the order of ids.
 *
 * <p>Who has a new label publishes it and calls its neighbours; who was not called keeps its label,
 * since it would count the same labels again. So rounds become cheaper as labels come to rest, and
 * when all have, the program ends: no further round would change anything.
 */
final class LabelPropagationProgram implements ShardProgram {
    static final String NAME = "algorithms.labels";
    static final String ITERATIONS = "iterations";

    /** Published label of those who still have their own ordinal. */
    private static final int NONE = -1;

    private final int iterations;
    private final LabelCount count = new LabelCount();
    private int[] neighbours = new int[64];
    private boolean directed;
    private IntState label;
    private IntState labelBefore;
    private IntMirror labels;
    private VertexChannel changed;

    LabelPropagationProgram(int iterations) {
        this.iterations = iterations;
    }

    @Override
    public void declare(Declaration graph) {
        directed = graph.graph().directed();
        label = graph.intState(LabelPropagation.LABEL, 0);
        labelBefore = graph.intState(LabelPropagation.LABEL_BEFORE, 0);
        labels = graph.intMirror("labels", NONE);
        changed = graph.vertexChannel("changed", EdgeDirection.BOTH);
        graph.resumable();
    }

    @Override
    public void compute(Shard shard) {
        boolean first = shard.superstep() == 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            int own = first ? (int) v : label.get(v);
            labelBefore.set(v, own);
            int next = first || changed.hasReceived(v) ? next(shard, v, own) : own;
            if (first || next != own) {
                label.set(v, next);
            }
            if (next != own) {
                labels.publish(v, next);
                changed.broadcast(v);
            }
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() + 1 == iterations) {
            master.halt();
        }
    }

    private int next(Shard shard, long v, int own) {
        int degree = gather(shard.adjacency(), v, 0);
        if (directed) {
            degree = gather(shard.incoming(), v, degree);
        }
        return degree == 0 ? own : count.mostFrequent(neighbours, degree);
    }

    /** Appends the labels of a row's vertices; the number of labels then. */
    private int gather(Adjacency rows, long v, int from) {
        int end = Math.addExact(from, rows.degree(v));
        if (end > neighbours.length) {
            neighbours = Arrays.copyOf(neighbours, Math.max(end, from + end / 2));
        }
        rows.copy(v, neighbours, from);
        for (int i = from; i < end; i++) {
            int published = labels.read(Integer.toUnsignedLong(neighbours[i]));
            if (published != NONE) {
                neighbours[i] = published;
            }
        }
        return end;
    }

    /** Makes the program; parameter: {@value #ITERATIONS}, the number of rounds. */
    public static final class Provider implements ProgramProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public LabelPropagationProgram create(Parameters parameters) {
            return new LabelPropagationProgram(Math.toIntExact(parameters.integer(ITERATIONS)));
        }
    }
}
