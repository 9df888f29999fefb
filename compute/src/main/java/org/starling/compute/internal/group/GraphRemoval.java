package org.starling.compute.internal.group;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;

/**
 * Removes the chunks of graphs that a node owns. Owned by {@link SlaveService}; any thread. Who
 * asks for a graph that somebody else is removing waits for that.
 *
 * <p>A master asks again when a removal somewhere was not acknowledged, or when it has taken over.
 * Ids that are free go to whoever makes chunks next, another job perhaps, so this node removes no
 * range a second time: what has been begun is remembered by the graph's number. A range whose
 * removal may have taken effect is left as it is; at worst its chunks stay. Another node that takes
 * a zone over in the middle of that remembers nothing.
 */
final class GraphRemoval {
    /** Graphs whose removal is remembered. */
    private static final int MAX_REMEMBERED = 256;

    private static final Duration SHARD_PATIENCE = Duration.ofSeconds(30);

    private final ChunkService chunks;
    private final int node;

    /** By the graphs' numbers, the newest last; guarded by this. */
    private final LinkedHashMap<Long, Begun> graphs = new LinkedHashMap<>();

    /** What has been removed of a graph, or perhaps has. Guarded by its lock. */
    private static final class Begun {
        private final ReentrantLock lock = new ReentrantLock();

        /** First chunks of ranges. More may follow: of zones that this node gets later. */
        private final LongSet ranges = new LongOpenHashSet();
    }

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
        Begun begun = begun(graph.number());
        begun.lock.lock();
        try {
            remove(graph, begun);
        } finally {
            begun.lock.unlock();
        }
    }

    /** Of graphs without a number nothing is known. */
    private synchronized Begun begun(long graph) {
        if (graph == 0) {
            return new Begun();
        }
        Begun begun = graphs.computeIfAbsent(graph, _ -> new Begun());
        if (graphs.size() > MAX_REMEMBERED) {
            graphs.pollFirstEntry();
        }
        return begun;
    }

    private void remove(GraphDescriptor graph, Begun begun) {
        ShardTable shards = new ShardTable(graph.shardFirsts(), graph.shardOwners());
        Map<Long, Boolean> owned = new HashMap<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            int size = shards.size(shard);
            long rows = graph.outRanges()[shard];
            if (size > 0 && owned.computeIfAbsent(ChunkId.zone(rows), _ -> isToBeOwn(rows))) {
                removeOnce(begun, rows, size);
                if (graph.hasOwnIncomingRows()) {
                    removeOnce(begun, graph.inRanges()[shard], size);
                }
                if (graph.valueChunks() > 0) {
                    removeOnce(begun, graph.propertyRanges()[shard], graph.valueChunks());
                }
                removeOnce(begun, graph.idChunks()[shard], 1);
            }
        }
    }

    private void removeOnce(Begun begun, long first, int count) {
        if (!begun.ranges.add(first)) {
            return;
        }
        try {
            chunks.removeRange(first, count);
        } catch (IndeterminateException perhaps) {
            throw perhaps;
        } catch (StoreException nothingChanged) {
            begun.ranges.remove(first);
            throw nothingChanged;
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
