package org.starling.compute.internal.topology;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import org.starling.compute.internal.graph.ChangeLayout;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.StopSign;
import org.starling.net.NativeMemory;
import org.starling.store.Durability;

/**
 * Finds the ordinals of ids that changes name, as far as a slave has them: one look at each own
 * vertex, however many ids are named. Used once.
 */
public final class IdFinder {
    private final StoredGraph graph;
    private final NodeContext node;

    /** In the shards of this node. */
    public IdFinder(StoredGraph graph, NodeContext node) {
        this.graph = graph;
        this.node = node;
    }

    /**
     * Writes id and ordinal of each that is here into a chunk, 8 bytes each.
     *
     * @param changes chunks of all slaves of changes that concern all
     * @param attempt under which the chunk is made
     * @return the chunk; 0 if none is here
     */
    public long find(long[] changes, long attempt, MadeChunks made, StopSign stop) {
        LongOpenHashSet wanted = wanted(changes);
        int[] own = graph.ownShards();
        LongArrayList[] found = new LongArrayList[own.length];
        node.team().forEach(own.length, stop, (_, i) -> found[i] = find(own[i], wanted));
        int count = Arrays.stream(found).mapToInt(LongArrayList::size).sum();
        if (count == 0) {
            return 0;
        }
        long[] all = new long[count];
        int at = 0;
        for (LongArrayList list : found) {
            list.getElements(0, all, at, list.size());
            at += list.size();
        }
        return made.make(attempt, node.chunks().with(Durability.MEMORY), all);
    }

    private LongOpenHashSet wanted(long[] changes) {
        LongOpenHashSet wanted = new LongOpenHashSet();
        ChangeSender.forEach(
                node.chunks(),
                changes,
                at -> {
                    int kind = ChangeLayout.kind(at);
                    if (ChangeLayout.isById(kind)) {
                        wanted.add(ChangeLayout.first(at));
                    }
                    if (kind == ChangeLayout.ADD_EDGE_BY_ID
                            || kind == ChangeLayout.REMOVE_EDGE_BY_ID) {
                        wanted.add(ChangeLayout.second(at));
                    }
                });
        return wanted;
    }

    private LongArrayList find(int shard, LongOpenHashSet wanted) {
        LongArrayList found = new LongArrayList();
        long first = graph.shards().first(shard);
        for (long ordinal = first; ordinal < graph.shards().end(shard); ordinal++) {
            long id = NativeMemory.getLong(graph.idAddress(first) + (ordinal - first) * Long.BYTES);
            if (wanted.contains(id) && !graph.isGone(ordinal)) {
                found.add(id);
                found.add(ordinal);
            }
        }
        return found;
    }
}
