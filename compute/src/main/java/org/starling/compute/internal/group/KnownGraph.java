package org.starling.compute.internal.group;

import java.util.List;
import java.util.TreeMap;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.MovedShard;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.store.ChunkId;

/**
 * A graph as the master knows it.
 *
 * @param descriptor as it stands in its chunk, but with its name in this job, the owners of now,
 *     and shards where the job has them now
 * @param shards where each ordinal belongs
 * @param chunk chunk of the descriptor
 * @param kept whether it outlives the job
 * @param columns published columns that this job sees
 * @param version what belongs to it if a program of the job has made it
 * @param moved shards that are not where the descriptor's chunk says, ascending
 */
record KnownGraph(
        GraphDescriptor descriptor,
        ShardTable shards,
        long chunk,
        boolean kept,
        List<StoredColumn> columns,
        GraphVersion version,
        List<MovedShard> moved) {
    /** A graph of this job alone. */
    static KnownGraph of(GraphDescriptor descriptor, long chunk) {
        return of(descriptor, chunk, false, List.of());
    }

    /** A graph that outlives the job, with these columns. */
    static KnownGraph kept(GraphDescriptor descriptor, long chunk, List<StoredColumn> columns) {
        return of(descriptor, chunk, true, columns);
    }

    private static KnownGraph of(
            GraphDescriptor descriptor, long chunk, boolean kept, List<StoredColumn> columns) {
        ShardTable shards = new ShardTable(descriptor.shardFirsts(), descriptor.shardOwners());
        return new KnownGraph(
                descriptor, shards, chunk, kept, columns, GraphVersion.NONE, List.of());
    }

    /** A version of a graph that a program of this job has made. */
    static KnownGraph version(GraphDescriptor descriptor, long chunk, GraphVersion version) {
        return of(descriptor, chunk).with(version, List.of());
    }

    private KnownGraph with(GraphVersion newVersion, List<MovedShard> newMoved) {
        return new KnownGraph(descriptor, shards, chunk, kept, columns, newVersion, newMoved);
    }

    /** The same with other owners. */
    KnownGraph withOwners(int[] owners) {
        return of(descriptor.withOwners(owners), chunk, kept, columns).with(version, moved);
    }

    /** The same with these shards elsewhere, and those that have been moved before. */
    KnownGraph moved(int[] owners, List<MovedShard> newMoved) {
        TreeMap<Integer, MovedShard> all = new TreeMap<>();
        moved.forEach(one -> all.put(one.shard(), one));
        newMoved.forEach(one -> all.put(one.shard(), one));
        return of(descriptor.withOwners(owners).moved(newMoved), chunk, kept, columns)
                .with(version, List.copyOf(all.values()));
    }

    /** The same as a graph that outlives the job, with these columns. */
    KnownGraph keptWith(List<StoredColumn> newColumns) {
        return new KnownGraph(
                descriptor, shards, chunk, true, newColumns, GraphVersion.NONE, moved);
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
