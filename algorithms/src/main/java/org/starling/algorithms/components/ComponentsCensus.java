package org.starling.algorithms.components;

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
 * Names components after their smallest ordinals, and counts them and their sizes. Before, a vertex
 * has the ordinal of a root of its component, which is one of its members, or {@link #FLOODED}.
 *
 * <p>Superstep 0: the flooded look for their smallest ordinal; all others tell theirs to their
 * roots. Superstep 1: roots know the name and the size of their component, and publish the name if
 * it is another one than their own. Superstep 2, if there was one: everybody takes its name. No
 * edges are looked at; two messages for each vertex outside the flooded component that is no root.
 */
final class ComponentsCensus implements ShardProgram {
    static final String NAME = "algorithms.components.census";

    /** Aggregator: number of components. */
    static final String COMPONENTS = "components";

    /** Aggregator: number of vertices of the largest component. */
    static final String LARGEST = "largest";

    /** Component of those who were found by a flood, until it has a name. */
    static final long FLOODED = -1;

    private static final long UNNAMED = -1;

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
        component = graph.existingVertexState(ConnectedComponents.COMPONENT);
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
        long drowned = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            long root = component.get(v);
            if (root == FLOODED) {
                if (drowned++ == 0) {
                    smallestFlooded.add(v);
                }
            } else if (root != v) {
                smallest.send(root, v);
                members.send(root, 1);
            }
        }
        flooded.add(drowned);
    }

    private void christen(Shard shard) {
        long roots = shard.index() == 0 && flooded.value() > 0 ? 1 : 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            long root = component.get(v);
            if (root == FLOODED) {
                component.set(v, smallestFlooded.value());
            } else if (root == v) {
                roots++;
                largest.add(1 + members.received(v));
                if (smallest.received(v) < v) {
                    names.publish(v, smallest.received(v));
                }
            }
        }
        components.add(roots);
        largest.add(flooded.value());
    }

    private void name(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            long name = names.read(component.get(v));
            if (name != UNNAMED) {
                component.set(v, name);
            }
        }
        components.add(shard.index() == 0 ? components.value() : 0);
        largest.add(largest.value());
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == 0) {
            master.activateAll();
        }
    }
}
