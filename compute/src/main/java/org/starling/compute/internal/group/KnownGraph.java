package org.starling.compute.internal.group;

import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.store.ChunkId;

/**
 * A graph as the master knows it.
 *
 * @param descriptor as it stands in its chunk, but with the owners of now
 * @param shards where each ordinal belongs
 * @param chunk chunk of the descriptor
 */
record KnownGraph(GraphDescriptor descriptor, ShardTable shards, long chunk) {
    static KnownGraph of(GraphDescriptor descriptor, long chunk) {
        ShardTable shards = new ShardTable(descriptor.shardFirsts(), descriptor.shardOwners());
        return new KnownGraph(descriptor, shards, chunk);
    }

    /** The same with other owners. */
    KnownGraph withOwners(int[] owners) {
        return of(descriptor.withOwners(owners), chunk);
    }

    String name() {
        return descriptor.name();
    }

    /** True if all its chunks have backups, so that it survives the loss of a peer. */
    boolean isReplicated() {
        for (int shard = 0; shard < shards.count(); shard++) {
            if (shards.size(shard) > 0 && !ChunkId.isReplicated(descriptor.outRanges()[shard])) {
                return false;
            }
        }
        return ChunkId.isReplicated(chunk);
    }
}
