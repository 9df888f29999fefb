package org.starling.algorithms;

import org.starling.graph.Declaration;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * Gives the flooded component its smallest ordinal, and counts components and their sizes.
 *
 * <p>Superstep 0: the flooded look for their smallest ordinal and are counted; every other vertex
 * tells the one it is named after. Superstep 1: the flooded get their name; each vertex that is
 * named after itself knows how large its component is. No edges are looked at; one message for each
 * vertex outside the flooded component that is not its component's smallest.
 */
final class ComponentsCensus implements ShardProgram {
    static final String NAME = "algorithms.components.census";

    /** Aggregator: number of components. */
    static final String COMPONENTS = "components";

    /** Aggregator: number of vertices of the largest component. */
    static final String LARGEST = "largest";

    private LongState component;
    private LongChannel member;
    private LongAggregator smallestFlooded;
    private LongAggregator flooded;
    private LongAggregator components;
    private LongAggregator largest;

    @Override
    public void declare(Declaration graph) {
        component = graph.existingLongState(ConnectedComponents.COMPONENT);
        member = graph.longChannel("member", LongCombiner.SUM);
        smallestFlooded = graph.longAggregator("smallestFlooded", LongCombiner.MIN);
        flooded = graph.longAggregator("flooded", LongCombiner.SUM);
        components = graph.longAggregator(COMPONENTS, LongCombiner.SUM);
        largest = graph.longAggregator(LARGEST, LongCombiner.MAX);
    }

    @Override
    public void compute(Shard shard) {
        if (shard.superstep() == 0) {
            report(shard);
        } else {
            count(shard);
        }
    }

    private void report(Shard shard) {
        long drowned = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            long own = component.get(v);
            if (own == ComponentsProgram.FLOODED) {
                if (drowned == 0) {
                    smallestFlooded.add(v);
                }
                drowned++;
            } else if (own != v) {
                member.send(own, 1);
            }
        }
        flooded.add(drowned);
    }

    private void count(Shard shard) {
        long name = smallestFlooded.value();
        long named = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            if (component.get(v) == ComponentsProgram.FLOODED) {
                component.set(v, name);
            } else if (component.get(v) == v) {
                largest.add(1 + member.received(v));
            }
            if (component.get(v) == v) {
                named++;
            }
        }
        components.add(named);
        largest.add(flooded.value());
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == 0) {
            master.activateAll();
        }
    }
}
