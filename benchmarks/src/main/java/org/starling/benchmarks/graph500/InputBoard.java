package org.starling.benchmarks.graph500;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.starling.graph.IntMirror;
import org.starling.graph.Shard;
import org.starling.loaders.KroneckerEdges;
import org.starling.loaders.KroneckerGraph;

/**
 * Where the workers of a node share the input that they generate anew: every worker makes a slice
 * of edges and lays the ends of each on the tally of the shard that they belong to. One per node
 * and run; safe for use by several threads, since tallies are entered before the first slice is
 * made and guard their own inbox.
 */
final class InputBoard {

    /** Tallies by first ordinal. */
    private final ConcurrentSkipListMap<Long, ShardTally> tallies = new ConcurrentSkipListMap<>();

    private final boolean weighted;
    private @Nullable IdIndex index;

    InputBoard(boolean weighted) {
        this.weighted = weighted;
    }

    /** Enters a shard of this node; before anything is generated. */
    void enter(Shard shard) {
        tallies.put(shard.first(), new ShardTally(shard, weighted));
    }

    /**
     * The way from ids to ordinals, made by the first who asks.
     *
     * @param ids id of each vertex, all of them published
     */
    synchronized IdIndex index(IntMirror ids, long vertices) {
        if (index == null) {
            index = new IdIndex(ids, vertices);
        }
        return index;
    }

    /** The tally of a shard that was entered. */
    ShardTally tally(Shard shard) {
        ShardTally tally = tallies.get(shard.first());
        if (tally == null) {
            throw new IllegalStateException("shard " + shard.index() + " came to this node late");
        }
        return tally;
    }

    /**
     * Generates one of as many slices of a range of edges as this node has shards.
     *
     * @param index ordinals of the generator's numbers
     * @param shard whose slice it is
     * @param first number of the range's first edge
     * @param end number after the range's last edge
     */
    void generate(KroneckerGraph graph, IdIndex index, Shard shard, long first, long end) {
        ShardTally[] here = tallies.values().toArray(ShardTally[]::new);
        LongArrayList[] halves = new LongArrayList[here.length];
        for (int rank = 0; rank < here.length; rank++) {
            halves[rank] = new LongArrayList();
        }
        int own = rankOf(here, shard.first());
        long edge = first + (end - first) * own / here.length;
        long last = first + (end - first) * (own + 1) / here.length;
        KroneckerEdges edges = new KroneckerEdges(graph, weighted);
        edges.seek(edge);
        for (; edge < last; edge++) {
            edges.next();
            int weight = weighted ? Float.floatToRawIntBits(edges.weight()) : 0;
            long source = index.ordinal(edges.source());
            long target = index.ordinal(edges.target());
            lay(here, halves, source, target, weight);
            lay(here, halves, target, source, weight);
        }
        for (int rank = 0; rank < here.length; rank++) {
            here[rank].receive(halves[rank]);
        }
    }

    private void lay(
            ShardTally[] here, LongArrayList[] halves, long vertex, long neighbour, int weight) {
        int rank = rankOf(here, vertex);
        if (rank >= 0) {
            halves[rank].add(vertex);
            halves[rank].add(neighbour);
            if (weighted) {
                halves[rank].add(weight);
            }
        }
    }

    /** Which of the shards has a vertex; -1 if none of this node does. */
    private static int rankOf(ShardTally[] here, long vertex) {
        int low = 0;
        int high = here.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (here[middle].first() <= vertex) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return here[low].has(vertex) ? low : -1;
    }
}
