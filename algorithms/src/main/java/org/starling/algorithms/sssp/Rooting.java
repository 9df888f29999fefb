package org.starling.algorithms.sssp;

import org.starling.graph.Adjacency;
import org.starling.graph.LongChannel;
import org.starling.graph.Shard;

/**
 * Finds parents for vertices that are reached over edges without length only: level by level from
 * those that have one, so that they form a tree. Of several callers of one level the smallest
 * ordinal is taken. Distances are final here. Confined to a worker.
 */
final class Rooting {
    private final SharedSearch shared;
    private final LongChannel calls;

    Rooting(SharedSearch shared, LongChannel calls) {
        this.shared = shared;
        this.calls = calls;
    }

    /** Vertices of a shard that were reached and have no parent call those that could be it. */
    void wake(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            long label = shared.label((int) v);
            if (label != Label.UNREACHED && Label.parent(label) == Label.NO_PARENT) {
                callOver(shard.incoming(), (int) v);
            }
        }
    }

    /** Vertices that were called and have a parent call over their own edges. */
    void call(Shard shard) {
        for (long v = calls.nextReceiver(shard.first()); v >= 0; v = calls.nextReceiver(v + 1)) {
            if (Label.parent(shared.label((int) v)) != Label.NO_PARENT) {
                callOver(shard.adjacency(), (int) v);
            }
        }
    }

    /** Vertices without a parent that were called take one, and call. */
    void take(Shard shard) {
        for (long v = calls.nextReceiver(shard.first()); v >= 0; v = calls.nextReceiver(v + 1)) {
            long called = calls.received(v);
            long known = shared.label((int) v);
            boolean near = Label.distance(known) == Label.distance(called);
            if (near && Label.parent(known) == Label.NO_PARENT) {
                shared.lower((int) v, known, called);
                callOver(shard.adjacency(), (int) v);
            }
        }
    }

    /** Calls all that an edge joins with a vertex without adding to the vertex's distance. */
    private void callOver(Adjacency rows, int vertex) {
        float own = Label.distance(shared.label(vertex));
        int degree = rows.degree(vertex);
        for (int i = 0; i < degree; i++) {
            if (own + rows.weight(vertex, i) == own) {
                calls.send(rows.neighbour(vertex, i), Label.of(own, vertex));
            }
        }
    }
}
