package org.starling.compute.internal.run;

import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.RowAdjacency;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.graph.Adjacency;
import org.starling.graph.Shard;

/** A shard as shard programs see it. One for each worker, confined to its thread. */
final class ShardView implements Shard {
    private final StoredGraph graph;
    private final Adjacency adjacency;
    private @Nullable Adjacency incoming;
    private int index;
    private int superstep;

    ShardView(StoredGraph graph) {
        this.graph = graph;
        this.adjacency = RowAdjacency.confined(graph.out());
    }

    /** Turns to a shard. */
    ShardView moveTo(int shard, int newSuperstep) {
        index = shard;
        superstep = newSuperstep;
        return this;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public long first() {
        return graph.shards().first(index);
    }

    @Override
    public long end() {
        return graph.shards().end(index);
    }

    @Override
    public int superstep() {
        return superstep;
    }

    @Override
    public Adjacency adjacency() {
        return adjacency;
    }

    @Override
    public Adjacency incoming() {
        if (incoming == null) {
            incoming = RowAdjacency.confined(graph.in());
        }
        return incoming;
    }

    @Override
    public long id(long ordinal) {
        return graph.id(ordinal);
    }
}
