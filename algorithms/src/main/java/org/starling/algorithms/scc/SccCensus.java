package org.starling.algorithms.scc;

import org.starling.graph.Declaration;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Names components after their smallest ordinals, and counts them and their sizes.
 *
 * <p>Superstep 0: the flooded look for their smallest ordinal; all others tell it to their roots.
 * Superstep 1: roots know the name and the size of their component and publish the name. Superstep
 * 2: everybody takes its name. No edges are looked at; two messages for each vertex outside the
 * flooded component that is not alone.
 */
final class SccCensus implements ShardProgram {
    static final String NAME = "algorithms.scc.census";

    /** Aggregator: number of components. */
    static final String COMPONENTS = "components";

    /** Aggregator: number of vertices of the largest component. */
    static final String LARGEST = "largest";

    private static final long UNNAMED = -1;
    private static final int LAST_SUPERSTEP = 2;

    private LongState component;
    private LongChannel smallest;
    private LongChannel members;
    private LongMirror names;
    private LongAggregator smallestFlooded;
    private LongAggregator flooded;
    private LongAggregator components;
    private LongAggregator largest;

    @Override
    public void declare(Declaration graph) {
        component = graph.existingLongState(StronglyConnectedComponents.COMPONENT);
        smallest = graph.longChannel("smallest", LongCombiner.MIN);
        members = graph.longChannel("members", LongCombiner.SUM);
        names = graph.longMirror("names", UNNAMED);
        smallestFlooded = graph.longAggregator("smallestFlooded", LongCombiner.MIN);
        flooded = graph.longAggregator("flooded", LongCombiner.SUM);
        components = graph.longAggregator(COMPONENTS, LongCombiner.SUM);
        largest = graph.longAggregator(LARGEST, LongCombiner.MAX);
    }

    @Override
    public void compute(Shard shard) {
        switch (shard.superstep()) {
            case 0 -> report(shard);
            case 1 -> christen(shard);
            default -> name(shard);
        }
    }

    private void report(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            long root = component.get(v);
            if (root == StronglyConnectedComponents.FLOODED) {
                smallestFlooded.add(v);
                flooded.add(1);
            } else if (root != v) {
                smallest.send(root, v);
                members.send(root, 1);
            }
        }
    }

    private void christen(Shard shard) {
        largest.add(flooded.value());
        for (long v = shard.first(); v < shard.end(); v++) {
            long root = component.get(v);
            if (root == StronglyConnectedComponents.FLOODED) {
                component.set(v, smallestFlooded.value());
            } else if (root == v) {
                largest.add(1 + members.received(v));
                if (smallest.hasReceived(v)) {
                    names.publish(v, Math.min(v, smallest.received(v)));
                }
            }
        }
    }

    private void name(Shard shard) {
        long named = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            long name = names.read(component.get(v));
            if (name != UNNAMED) {
                component.set(v, name);
            }
            named += component.get(v) == v ? 1 : 0;
        }
        components.add(named);
        largest.add(largest.value());
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() < LAST_SUPERSTEP) {
            master.activateAll();
        }
    }
}
