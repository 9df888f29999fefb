package org.starling.compute.internal.group;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.QueryMessage.FindIds;
import org.starling.compute.internal.run.NodeContext;

/** Ids of vertices of any shards: each owner is asked for all of its own at once. */
final class VertexIds {
    private VertexIds() {}

    /** Asks an owner for ids of vertices of its shards. */
    interface Owners {
        long[] ids(int owner, long[] ordinals);
    }

    static long[] of(long[] ordinals, ShardTable shards, Owners asking) {
        int[] owners =
                Arrays.stream(ordinals).mapToInt(v -> shards.owner(shards.shardOf(v))).toArray();
        TreeMap<Integer, LongStream.Builder> asked = new TreeMap<>();
        for (int i = 0; i < ordinals.length; i++) {
            asked.computeIfAbsent(owners[i], _ -> LongStream.builder()).add(ordinals[i]);
        }
        long[] ids = new long[ordinals.length];
        asked.forEach((owner, own) -> {
            long[] answer = asking.ids(owner, own.build().toArray());
            int next = 0;
            for (int i = 0; i < ids.length; i++) {
                if (owners[i] == owner) {
                    ids[i] = answer[next++];
                }
            }
        });
        return ids;
    }

    /** The same for the master of a job. */
    static long[] of(long[] ordinals, String graph, ShardTable shards, Group group, long term) {
        return of(
                ordinals,
                shards,
                (owner, own) -> group.one(owner, new FindIds(term, graph, own)).values());
    }

    /** The same for a slave, which knows those of its own shards. */
    static long[] of(long[] ordinals, StoredGraph graph, NodeContext node, long term) {
        return of(
                ordinals,
                graph.shards(),
                (owner, own) ->
                        owner == node.node()
                                ? Arrays.stream(own).map(graph::id).toArray()
                                : node.ask(owner, new FindIds(term, graph.descriptor().name(), own))
                                        .values());
    }
}
