package org.starling.algorithms;

import org.starling.algorithms.orientation.Sample;
import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.IntMirror;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Checks the labels that label propagation left, by the labels before the last round as a witness.
 *
 * <p>Rules: (1) every label is that of a vertex, and the community is that vertex's id; (2) the
 * label is the most frequent one among the neighbours' labels before the last round, of several the
 * one with the smallest id ({@link LabelRecount}); who has no neighbours has its own; (3) if there
 * was but one round, labels before it are the vertices' own. Of earlier rounds it says nothing;
 * those are judged as they are made ({@link LabelPropagationProgram}).
 *
 * <p>Rule (2) is tried at about {@link #SAMPLED_VERTICES} vertices, or all of a smaller graph. Two
 * supersteps; one look at every vertex, and at the edges of the sample.
 *
 * <p>Parameters: whether the last round was the first one, and the state.
 */
final class LabelPropagationCheck implements ShardProgram {
    static final String NAME = "algorithms.labels.check";

    /** Expected number of vertices whose neighbours' labels are counted again. */
    static final int SAMPLED_VERTICES = 1 << 15;

    static final String FIRST_ROUND = "firstRound";
    private static final long SEED = 20_261_122L;

    private final boolean firstRound;
    private final String state;
    private final Sample sample = new Sample(SEED);
    private long oneIn;
    private long vertices;
    private IntState label;
    private IntState labelBefore;
    private LongState community;
    private IntMirror labelsBefore;
    private LongMirror ids;
    private LabelRecount recount;
    private LongAggregator misnamed;
    private LongAggregator outvoted;
    private LongAggregator misbegun;

    LabelPropagationCheck(boolean firstRound, String state) {
        this.firstRound = firstRound;
        this.state = state;
    }

    /**
     * Runs the check.
     *
     * @param iterations rounds that were made
     * @param state name of the state of labels as ids
     * @throws org.starling.graph.JobFailedException if a rule is broken
     */
    static void require(GraphSession session, String graph, int iterations, String state) {
        Parameters left =
                Parameters.of(FIRST_ROUND, iterations == 1)
                        .with(LabelPropagationCensus.STATE, state);
        RunResult run = session.run(graph, NAME, left);
        Verdict verdict = new Verdict(session, graph, "label propagation", run);
        verdict.nobody("misbegun", "did not begin with its own label");
        verdict.nobody(
                "outvoted", "has a label that is not the most frequent among its neighbours");
        verdict.nobody("misnamed", "has a community that is not the id its label stands for");
    }

    @Override
    public void declare(Declaration graph) {
        vertices = graph.graph().vertices();
        oneIn = Math.max(1, vertices / SAMPLED_VERTICES);
        label = graph.existingIntState(LabelPropagation.LABEL);
        labelBefore = graph.existingIntState(LabelPropagation.LABEL_BEFORE);
        community = graph.existingLongState(state);
        labelsBefore = graph.intMirror("labelsBefore", 0);
        ids = graph.longMirror("ids", 0);
        recount =
                new LabelRecount(
                        graph.graph().directed(),
                        labelsBefore::read,
                        known -> ids.read(Integer.toUnsignedLong(known)));
        misnamed = graph.longAggregator("misnamed", LongCombiner.MIN);
        outvoted = graph.longAggregator("outvoted", LongCombiner.MIN);
        misbegun = graph.longAggregator("misbegun", LongCombiner.MIN);
    }

    @Override
    public void compute(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (shard.superstep() == 0) {
                labelsBefore.publish(v, labelBefore.get(v));
                ids.publish(v, shard.id(v));
            } else {
                check(shard, v);
            }
        }
    }

    private void check(Shard shard, long v) {
        long own = Integer.toUnsignedLong(label.get(v));
        if (own >= vertices || community.get(v) != ids.read(own)) {
            misnamed.add(v);
        }
        if (firstRound && Integer.toUnsignedLong(labelBefore.get(v)) != v) {
            misbegun.add(v);
        }
        if (sample.takes(v, oneIn) && recount.winner(shard, v) != label.get(v)) {
            outvoted.add(v);
        }
    }
}
