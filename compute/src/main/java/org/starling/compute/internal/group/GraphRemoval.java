package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.group.Withholding.Leader;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;

/**
 * Removes the chunks of graphs that a node owns. Owned by {@link SlaveService}; any thread. Who
 * asks for a graph that somebody else is removing waits for that.
 *
 * <p>A master asks again when a removal somewhere was not acknowledged, or when it has taken over.
 * So ids of a graph are given to nobody until its descriptor is gone ({@link Withholding}).
 */
final class GraphRemoval {
    private static final Duration SHARD_PATIENCE = Duration.ofSeconds(30);
    private static final int LOCKS = 64;

    private final ChunkService chunks;
    private final int node;
    private final Withholding withholding;

    /** By descriptor, each of several. */
    private final Lock[] locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toArray(Lock[]::new);

    GraphRemoval(ChunkService chunks, int node, Withholding withholding) {
        this.chunks = chunks;
        this.node = node;
        this.withholding = withholding;
    }

    /**
     * Removes what this node owns of a graph; nothing of it may be pinned. What it is about to own
     * is waited for: nobody else would remove that.
     */
    void remove(long descriptorChunk) {
        Lock lock = locks[Math.floorMod(Long.hashCode(descriptorChunk), LOCKS)];
        lock.lock();
        try {
            GraphDescriptor graph = DescriptorChunk.read(chunks, descriptorChunk);
            remove(new Leader(descriptorChunk, graph.number()), graph);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Leader descriptor, GraphDescriptor graph) {
        ShardTable shards = new ShardTable(graph.shardFirsts(), graph.shardOwners());
        Map<Long, Boolean> owned = new HashMap<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            int size = shards.size(shard);
            long rows = graph.outRanges()[shard];
            if (size > 0 && owned.computeIfAbsent(ChunkId.zone(rows), _ -> isToBeOwn(rows))) {
                remove(descriptor, rows, size);
                if (graph.hasOwnIncomingRows()) {
                    remove(descriptor, graph.inRanges()[shard], size);
                }
                if (graph.valueChunks() > 0) {
                    remove(descriptor, graph.propertyRanges()[shard], graph.valueChunks());
                }
                remove(descriptor, graph.idChunks()[shard], 1);
            }
        }
    }

    private void remove(Leader descriptor, long first, int count) {
        withholding.hold(descriptor, first, count, () -> isGone(descriptor));
        chunks.removeRange(first, count);
    }

    private boolean isGone(Leader descriptor) {
        return DescriptorChunk.find(chunks, descriptor.chunk())
                .filter(graph -> graph.number() == descriptor.sign())
                .isEmpty();
    }

    /** Whether a zone is this node's, also if it is still on its way here. */
    private boolean isToBeOwn(long rows) {
        if (chunks.isLocal(rows) || !ChunkId.isReplicated(rows)) {
            return chunks.isLocal(rows);
        }
        try {
            return chunks.awaitOwner(rows, SHARD_PATIENCE) == node;
        } catch (ChunkNotFoundException | DataLostException nothingLeft) {
            return false;
        }
    }
}
