package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.UnderReplicatedException;

/**
 * Removes the chunks of graphs that a node owns. Owned by {@link SlaveService}; any thread.
 *
 * <p>A master asks again when a removal somewhere was not acknowledged, or when it has taken over.
 * Ids that are free go to whoever makes chunks next, another job perhaps, so no range is removed a
 * second time: what has been begun is remembered by the graph's number. A range whose removal is
 * begun and not acknowledged is left as it is; at worst its chunks stay.
 */
final class GraphRemoval {
    /** Graphs whose removal is remembered; masters give up asking long before as many are gone. */
    private static final int MAX_REMEMBERED = 256;

    private static final Duration SHARD_PATIENCE = Duration.ofSeconds(30);

    private final ChunkService chunks;
    private final int node;

    /**
     * Ranges by their first chunk, of graphs by their numbers, the newest last; guarded by this.
     */
    private final LinkedHashMap<Long, Set<Long>> begun = new LinkedHashMap<>();

    GraphRemoval(ChunkService chunks, int node) {
        this.chunks = chunks;
        this.node = node;
    }

    /**
     * Removes what this node owns of a graph; nothing of it may be pinned. What it is about to own
     * is waited for: nobody else would remove that.
     */
    void remove(long descriptorChunk) {
        GraphDescriptor graph = DescriptorChunk.read(chunks, descriptorChunk);
        ShardTable shards = new ShardTable(graph.shardFirsts(), graph.shardOwners());
        Map<Long, Boolean> owned = new HashMap<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            int size = shards.size(shard);
            long rows = graph.outRanges()[shard];
            if (size > 0 && owned.computeIfAbsent(ChunkId.zone(rows), _ -> isToBeOwn(rows))) {
                removeOnce(graph, rows, size);
                if (graph.hasOwnIncomingRows()) {
                    removeOnce(graph, graph.inRanges()[shard], size);
                }
                if (graph.valueChunks() > 0) {
                    removeOnce(graph, graph.propertyRanges()[shard], graph.valueChunks());
                }
                removeOnce(graph, graph.idChunks()[shard], 1);
            }
        }
    }

    private void removeOnce(GraphDescriptor graph, long first, int count) {
        if (graph.number() == 0) {
            chunks.removeRange(first, count);
            return;
        }
        if (!begin(graph.number(), first)) {
            return;
        }
        try {
            chunks.removeRange(first, count);
        } catch (UnderReplicatedException nothingChanged) {
            takeBack(graph.number(), first);
            throw nothingChanged;
        }
    }

    private synchronized boolean begin(long graph, long first) {
        Set<Long> ranges = begun.computeIfAbsent(graph, _ -> new HashSet<>());
        if (begun.size() > MAX_REMEMBERED) {
            begun.pollFirstEntry();
        }
        return ranges.add(first);
    }

    private synchronized void takeBack(long graph, long first) {
        Set<Long> ranges = begun.get(graph);
        if (ranges != null) {
            ranges.remove(first);
        }
    }

    /** Whether a zone is this node's, also if it is still on its way here. */
    private boolean isToBeOwn(long rows) {
        if (chunks.isLocal(rows) || !ChunkId.isReplicated(rows)) {
            return chunks.isLocal(rows);
        }
        try {
            return chunks.awaitOwner(rows, SHARD_PATIENCE) == node;
        } catch (DataLostException nothingLeft) {
            return false;
        }
    }
}
