package org.starling.compute.internal.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ChunkBytes;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.TopologyMessage.PackReport;
import org.starling.compute.internal.protocol.TopologyMessage.PackVersion;
import org.starling.compute.internal.protocol.TopologyMessage.VersionReport;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.StopSign;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.Durability;

/**
 * One slave's part in packing a graph: ordinals that lead to nobody are left out, the others move
 * together, in their order. A shard gets what is left of itself, but for the 63 vertices at most
 * that fill up the last word of the one before; these are read from wherever they lie. Used once.
 */
public final class GraphPacker {
    private final StoredGraph graph;
    private final GraphDescriptor descriptor;
    private final NodeContext node;
    private final MadeChunks made;
    private final PackVersion command;

    /**
     * Begins.
     *
     * @param graph with ordinals that lead to nobody
     * @param made makes the chunks
     */
    public GraphPacker(StoredGraph graph, NodeContext node, MadeChunks made, PackVersion command) {
        this.graph = graph;
        this.descriptor = graph.descriptor();
        this.node = node;
        this.made = made;
        this.command = command;
    }

    /** Makes the chunks. */
    public PackReport pack(StopSign stop) {
        Bitmap gone = graph.gone();
        if (gone == null) {
            throw new IllegalStateException("nothing to pack");
        }
        try (Ranks ranks = new Ranks(gone, graph.shards().vertices())) {
            long[] firsts = ranks.firsts(graph.shards());
            int[] own = graph.ownShards();
            long[] out = new long[own.length];
            long[] in = new long[descriptor.hasOwnIncomingRows() ? own.length : 0];
            long[] ids = new long[own.length];
            long[] states = new long[own.length];
            ChunkService chunks =
                    node.chunks()
                            .with(command.replicated() ? Durability.PROCESS : Durability.MEMORY);
            node.team()
                    .forEach(
                            own.length,
                            stop,
                            (_, i) -> {
                                int shard = own[i];
                                if (firsts[shard] == firsts[shard + 1]) {
                                    return;
                                }
                                try (Shard packed =
                                        new Shard(
                                                ranks,
                                                ranks.olds(firsts[shard], firsts[shard + 1]))) {
                                    ChunkService old = chunks.near(descriptor.outRanges()[shard]);
                                    out[i] = packed.storeRows(old, graph.out(), true);
                                    ChunkService near = chunks.near(out[i]);
                                    if (in.length > 0) {
                                        in[i] = packed.storeRows(near, graph.in(), false);
                                    }
                                    ids[i] = packed.storeIds(near);
                                    states[i] = packed.storeStates(near);
                                }
                            });
            made.settle(command.version(), command.checkpoint());
            return new PackReport(
                    new VersionReport(own, out, in, ids, 0, 0, ranks.count(), 0, 0), states);
        }
    }

    /** A shard of the packed graph while it is made. Confined to a worker's thread. */
    private final class Shard implements AutoCloseable {
        private final Ranks ranks;

        /** Ordinal of each vertex in the graph as it is. */
        private final long[] olds;

        /** Rows of other nodes. */
        private final Map<Long, ChunkBytes> foreign = new HashMap<>();

        Shard(Ranks ranks, long[] olds) {
            this.ranks = ranks;
            this.olds = olds;
        }

        long storeRows(ChunkService chunks, Rows rows, boolean outgoing) {
            int[] sizes = new int[olds.length];
            long[] from = new long[olds.length];
            for (int i = 0; i < olds.length; i++) {
                int shard = graph.shards().shardOf(olds[i]);
                if (rows.hasShard(shard)) {
                    long entry = rows.entry(olds[i]);
                    from[i] = AdjacencyLayout.targets(entry);
                    sizes[i] = rows.layout().bytes(rows.layout().degreeOf(entry));
                } else {
                    ChunkBytes row = foreignRow(shard, olds[i], outgoing);
                    from[i] = row.address();
                    sizes[i] = row.bytes();
                }
            }
            return made.make(
                    command.version(),
                    chunks,
                    sizes,
                    pinned -> {
                        for (int i = 0; i < sizes.length; i++) {
                            copy(rows.layout(), from[i], sizes[i], pinned.address(i));
                        }
                    });
        }

        private ChunkBytes foreignRow(int shard, long ordinal, boolean outgoing) {
            long[] ranges = outgoing ? descriptor.outRanges() : descriptor.inRanges();
            long chunk = ranges[shard] + ordinal - graph.shards().first(shard);
            return foreign.computeIfAbsent(chunk, id -> new ChunkBytes(node.chunks(), id));
        }

        private void copy(AdjacencyLayout layout, long from, int bytes, long to) {
            NativeMemory.copy(from, to, bytes);
            int width = layout.targetBytes();
            long end = layout.targetsEnd(to, layout.degree(bytes));
            for (long at = to; at < end; at += width) {
                AdjacencyLayout.store(at, width, ranks.rank(layout.target(at)));
            }
        }

        long storeIds(ChunkService chunks) {
            int[] sizes = {Math.multiplyExact(olds.length, Long.BYTES)};
            return made.make(
                    command.version(),
                    chunks,
                    sizes,
                    pinned ->
                            gather(
                                    Long.BYTES,
                                    shard -> descriptor.idChunks()[shard],
                                    pinned.address(0)));
        }

        /** A chunk for each state; 0 if there are none. */
        long storeStates(ChunkService chunks) {
            List<StateType> types = command.types();
            if (types.isEmpty()) {
                return 0;
            }
            int[] sizes =
                    types.stream()
                            .mapToInt(type -> Math.multiplyExact(olds.length, type.width()))
                            .toArray();
            return made.make(
                    command.checkpoint(),
                    chunks,
                    sizes,
                    pinned -> {
                        for (int i = 0; i < sizes.length; i++) {
                            int number = i;
                            StateType type = types.get(i);
                            gather(
                                    type.width(),
                                    shard -> command.states()[shard] + number,
                                    pinned.address(i));
                            if (type.element() == ColumnType.VERTEX) {
                                rename(pinned.address(i), sizes[i]);
                            }
                        }
                    });
        }

        /** Values that name vertices. */
        private void rename(long address, int bytes) {
            for (long at = address; at < address + bytes; at += Long.BYTES) {
                NativeMemory.putLong(at, ranks.newOrdinal(NativeMemory.getLong(at)));
            }
        }

        /**
         * Puts the values of this shard's vertices together, one behind the other.
         *
         * @param chunkOf where the values of a shard of the graph as it is are
         */
        private void gather(int width, IntToLongFunction chunkOf, long to) {
            ShardTable shards = graph.shards();
            for (int i = 0; i < olds.length; ) {
                int shard = shards.shardOf(olds[i]);
                try (ChunkBytes values =
                        new ChunkBytes(node.chunks(), chunkOf.applyAsLong(shard))) {
                    for (; i < olds.length && olds[i] < shards.end(shard); i++) {
                        long from = values.address() + (olds[i] - shards.first(shard)) * width;
                        NativeMemory.copy(from, to + (long) i * width, width);
                    }
                }
            }
        }

        @Override
        public void close() {
            foreign.values().forEach(ChunkBytes::close);
        }
    }
}
