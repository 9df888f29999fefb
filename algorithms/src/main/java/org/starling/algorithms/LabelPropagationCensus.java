package org.starling.algorithms;

import org.starling.graph.Declaration;
import org.starling.graph.IntState;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Counts communities and turns labels from ordinals into ids.
 *
 * <p>Superstep 0: every vertex reports to the one whose ordinal is its label, neighbours in the
 * order of ordinals with equal labels together. Superstep 1: who was reported to is counted, and
 * publishes its id. Superstep 2: everybody reads it. No edges are looked at.
 *
 * <p>Parameter: {@value #STATE}.
 */
final class LabelPropagationCensus implements ShardProgram {
    static final String NAME = "algorithms.labels.census";

    /** Parameter: name of the state of labels as ids. */
    static final String STATE = "state";

    /** Aggregator: number of communities. */
    static final String COMMUNITIES = "communities";

    /** Aggregator: number of vertices of the largest community. */
    static final String LARGEST = "largest";

    private final String state;
    private IntState label;
    private LongState community;
    private LongChannel member;
    private LongMirror ids;
    private LongAggregator communities;
    private LongAggregator largest;
    private LongGlobal countedCommunities;
    private LongGlobal countedLargest;

    LabelPropagationCensus(Parameters parameters) {
        state = parameters.text(STATE);
    }

    @Override
    public void declare(Declaration graph) {
        label = graph.existingIntState(LabelPropagation.LABEL);
        community = graph.idState(state, 0);
        member = graph.longChannel("member", LongCombiner.SUM);
        ids = graph.longMirror("ids", 0);
        communities = graph.longAggregator(COMMUNITIES, LongCombiner.SUM);
        largest = graph.longAggregator(LARGEST, LongCombiner.MAX);
        countedCommunities = graph.longGlobal(COMMUNITIES, 0);
        countedLargest = graph.longGlobal(LARGEST, 0);
    }

    @Override
    public void compute(Shard shard) {
        switch (shard.superstep()) {
            case 0 -> report(shard);
            case 1 -> count(shard);
            default -> translate(shard);
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == 1) {
            countedCommunities.set(communities.value());
            countedLargest.set(largest.value());
        }
    }

    private void report(Shard shard) {
        long first = shard.first();
        for (long v = first + 1; v <= shard.end(); v++) {
            int own = label.get(first);
            if (v == shard.end() || label.get(v) != own) {
                member.send(Integer.toUnsignedLong(own), v - first);
                first = v;
            }
        }
    }

    private void count(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            if (member.hasReceived(v)) {
                communities.add(1);
                largest.add(member.received(v));
                ids.publish(v, shard.id(v));
            }
        }
    }

    private void translate(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            community.set(v, ids.read(Integer.toUnsignedLong(label.get(v))));
        }
        if (shard.index() == 0) {
            communities.add(countedCommunities.get());
            largest.add(countedLargest.get());
        }
    }
}
