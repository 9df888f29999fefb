package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.compute.internal.graph.ColumnChunks;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.QueryMessage.Copied;
import org.starling.compute.internal.protocol.QueryMessage.CopyShards;
import org.starling.compute.internal.protocol.QueryMessage.MeasureKept;
import org.starling.graph.GraphShare;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.PinnedRange;
import org.starling.store.RangeCopy;

/**
 * What a peer does with its shards of kept graphs that no job needs to know: measures them, and
 * copies them. Works on chunks alone, beside whatever jobs do; pins what it reads. Stateless.
 */
final class KeptShards {
    private final int node;
    private final ChunkService chunks;

    KeptShards(int node, ChunkService chunks) {
        this.node = node;
        this.chunks = chunks;
    }

    /** Shards, vertices, and bytes of rows and ids. */
    Numbers measure(MeasureKept command) {
        GraphDescriptor graph = mine(command.descriptorChunk());
        try (StoredGraph stored = new StoredGraph(graph, node, chunks)) {
            GraphShare share = stored.share();
            return new Numbers(
                    share.shards(), share.vertices(), share.neighbourBytes() + share.vertexBytes());
        }
    }

    /** Copies rows, ids and columns of own shards; if it can't, it leaves nothing behind. */
    Copied copy(CopyShards command) {
        GraphDescriptor graph = mine(command.descriptorChunk());
        ShardTable shards = new ShardTable(graph.shardFirsts(), graph.shardOwners());
        List<long[]> columns = new ArrayList<>();
        for (long manifest : command.manifests()) {
            columns.add(ColumnChunks.manifest(chunks, manifest).chunks());
        }
        int[] own =
                Arrays.stream(shards.shardsOf(node))
                        .filter(shard -> shards.size(shard) > 0)
                        .toArray();
        boolean twoWays = graph.hasOwnIncomingRows();
        long[] out = new long[own.length];
        long[] in = new long[twoWays ? own.length : 0];
        long[] ids = new long[own.length];
        int properties = graph.valueChunks();
        long[] values = new long[properties == 0 ? 0 : own.length];
        long[] copies = new long[own.length * columns.size()];
        List<long[]> made = new ArrayList<>();
        boolean done = false;
        try {
            for (int i = 0; i < own.length; i++) {
                int size = shards.size(own[i]);
                long source = graph.outRanges()[own[i]];
                ChunkService all = chunks.with(durability(source));
                out[i] = copy(all, source, size, made);
                ChunkService near = all.near(out[i]);
                if (twoWays) {
                    in[i] = copy(near, graph.inRanges()[own[i]], size, made);
                }
                ids[i] = copy(near, graph.idChunks()[own[i]], 1, made);
                if (properties > 0) {
                    values[i] = copy(near, graph.propertyRanges()[own[i]], properties, made);
                }
                for (int column = 0; column < columns.size(); column++) {
                    copies[i * columns.size() + column] =
                            copy(near, columns.get(column)[own[i]], 1, made);
                }
            }
            chunks.sync();
            done = true;
            return new Copied(own, out, in, ids, copies, values);
        } finally {
            if (!done) {
                made.forEach(range -> chunks.removeRange(range[0], (int) range[1]));
            }
        }
    }

    /** A column's values may lie elsewhere than the rows: shards had moved in its job. */
    private static long copy(ChunkService to, long source, int count, List<long[]> made) {
        try (RangeCopy from = to.readRange(source, count)) {
            int[] sizes = new int[count];
            Arrays.setAll(sizes, from::bytes);
            long first = to.createRange(sizes);
            made.add(new long[] {first, count});
            try (PinnedRange into = to.pin(first, count)) {
                for (int i = 0; i < count; i++) {
                    NativeMemory.copy(from.address(i), into.address(i), sizes[i]);
                }
                to.replicate(first, count); // pinned, so that it is not handed over before
            }
            return first;
        }
    }

    /** The durability that chunks beside another one can have. */
    static Durability durability(long chunk) {
        return ChunkId.isReplicated(chunk) ? Durability.PROCESS : Durability.MEMORY;
    }

    /** The descriptor, with this node as owner of what is here and nobody of all else. */
    private GraphDescriptor mine(long descriptorChunk) {
        GraphDescriptor graph = DescriptorChunk.read(chunks, descriptorChunk);
        int[] owners = new int[graph.shardOwners().length];
        Arrays.setAll(
                owners,
                shard ->
                        graph.shardFirsts()[shard] < graph.shardFirsts()[shard + 1]
                                        && chunks.isLocal(graph.outRanges()[shard])
                                ? node
                                : GraphDescriptor.NOBODY);
        return graph.withOwners(owners);
    }
}
