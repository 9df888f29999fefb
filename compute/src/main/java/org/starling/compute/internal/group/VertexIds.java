package org.starling.compute.internal.group;

import java.util.Arrays;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.QueryMessage.FindIds;

/** Ids of vertices of any shards: each owner is asked for all of its own at once. */
final class VertexIds {
    private VertexIds() {}

    static long[] of(long[] ordinals, String graph, ShardTable shards, Group group, long term) {
        int[] owners =
                Arrays.stream(ordinals).mapToInt(v -> shards.owner(shards.shardOf(v))).toArray();
        TreeMap<Integer, LongStream.Builder> asked = new TreeMap<>();
        for (int i = 0; i < ordinals.length; i++) {
            asked.computeIfAbsent(owners[i], _ -> LongStream.builder()).add(ordinals[i]);
        }
        long[] ids = new long[ordinals.length];
        asked.forEach((owner, own) -> {
            FindIds question = new FindIds(term, graph, own.build().toArray());
            long[] answer = group.one(owner, question).values();
            int next = 0;
            for (int i = 0; i < ids.length; i++) {
                if (owners[i] == owner) {
                    ids[i] = answer[next++];
                }
            }
        });
        return ids;
    }
}
