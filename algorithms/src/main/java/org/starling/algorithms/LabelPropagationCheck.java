package org.starling.algorithms;

import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
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
 * Checks that every label that label propagation left is that of a vertex, and the community that
 * vertex's id. Rounds are judged as they are made ({@link LabelPropagationProgram}). Two
 * supersteps, one look at every vertex.
 *
 * <p>Parameter: {@value LabelPropagationCensus#STATE}.
 */
final class LabelPropagationCheck implements ShardProgram {
    static final String NAME = "algorithms.labels.check";

    private final String state;
    private long vertices;
    private IntState label;
    private LongState community;
    private LongMirror ids;
    private LongAggregator misnamed;

    LabelPropagationCheck(Parameters parameters) {
        state = parameters.text(LabelPropagationCensus.STATE);
    }

    /**
     * Runs the check.
     *
     * @param state name of the state of labels as ids
     * @throws org.starling.graph.JobFailedException if a community has another name
     */
    static void require(GraphSession session, String graph, String state) {
        Parameters left = Parameters.of(LabelPropagationCensus.STATE, state);
        RunResult run = session.run(graph, NAME, left);
        new Verdict(session, graph, "label propagation", run)
                .nobody("misnamed", "has a community that is not the id its label stands for");
    }

    @Override
    public void declare(Declaration graph) {
        vertices = graph.graph().vertices();
        label = graph.existingIntState(LabelPropagation.LABEL);
        community = graph.existingIdState(state);
        ids = graph.longMirror("ids", 0);
        misnamed = graph.longAggregator("misnamed", LongCombiner.MIN);
    }

    @Override
    public void compute(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            long own = Integer.toUnsignedLong(label.get(v));
            if (shard.superstep() == 0) {
                ids.publish(v, shard.id(v));
            } else if (own >= vertices || community.get(v) != ids.read(own)) {
                misnamed.add(v);
            }
        }
    }
}
