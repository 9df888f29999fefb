package org.starling.compute.internal.topology;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.ChangeLayout;
import org.starling.compute.internal.graph.GoneChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.TopologyMessage.MakeVersion;
import org.starling.compute.internal.protocol.TopologyMessage.VersionReport;
import org.starling.compute.internal.run.ChangeList;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.Slaves;
import org.starling.compute.internal.run.StopSign;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.Durability;

/**
 * One slave's part in making a new version of a graph: rows and ids of its shards, changed or not,
 * in new chunks beside the old ones. Shards keep their ordinals and owners; vertices that come are
 * in shards behind them ({@link ShardGrowth}). Used once.
 */
public final class VersionBuild {
    private static final int OUT = 0;
    private static final int IN = 1;

    /** What pads of the last old shard have as ids. */
    private static final long NO_ID = -1;

    private final StoredGraph graph;
    private final GraphDescriptor descriptor;
    private final NodeContext node;
    private final Slaves slaves;
    private final MadeChunks made;
    private final MakeVersion command;

    /**
     * Begins.
     *
     * @param graph the version that the changes are of
     * @param made makes the chunks
     */
    public VersionBuild(
            StoredGraph graph,
            NodeContext node,
            Slaves slaves,
            MadeChunks made,
            MakeVersion command) {
        this.graph = graph;
        this.descriptor = graph.descriptor();
        this.node = node;
        this.slaves = slaves;
        this.made = made;
        this.command = command;
    }

    /** Makes the chunks. */
    public VersionReport make(StopSign stop) {
        try (Resolution resolution =
                new Resolution(graph, node.chunks(), command.forAll(), command.found())) {
            ShardTable table =
                    ShardGrowth.table(
                            graph.shards(), resolution.firstAdded(), resolution.ordinals(), slaves);
            return make(resolution, table, stop);
        }
    }

    private VersionReport make(Resolution resolution, ShardTable table, StopSign stop) {
        int[] own = table.shardsOf(node.node());
        @Nullable ShardChanges[][] changes = changes(resolution, table);
        long[] out = new long[own.length];
        long[] in = new long[descriptor.hasOwnIncomingRows() ? own.length : 0];
        long[] ids = new long[own.length];
        AtomicLong edges = new AtomicLong();
        ChunkService chunks =
                node.chunks().with(command.replicated() ? Durability.PROCESS : Durability.MEMORY);
        node.team()
                .forEach(
                        own.length,
                        stop,
                        (_, i) -> {
                            int shard = own[i];
                            if (table.size(shard) == 0) {
                                return;
                            }
                            NewRows rows = rows(resolution, table, shard, changes[OUT][shard], OUT);
                            out[i] = store(besideOld(chunks, shard), rows);
                            edges.addAndGet(rows.edges());
                            ChunkService near = chunks.near(out[i]);
                            if (in.length > 0) {
                                in[i] =
                                        store(
                                                near,
                                                rows(
                                                        resolution,
                                                        table,
                                                        shard,
                                                        changes[IN][shard],
                                                        IN));
                            }
                            ids[i] = storeIds(near, resolution, table, shard);
                            changes[OUT][shard] = null;
                            changes[IN][shard] = null;
                        });
        long gone = slaves.selfIndex() == 0 ? storeGone(chunks, resolution) : 0;
        made.settle(command.version());
        return new VersionReport(
                own,
                out,
                in,
                ids,
                edges.get(),
                resolution.firstAdded(),
                resolution.ordinals(),
                resolution.goneCount(),
                gone);
    }

    /** Old shards keep their zone, and so their owner, unless the zone has been taken over. */
    private ChunkService besideOld(ChunkService chunks, int shard) {
        return shard < graph.shards().count() && graph.shards().size(shard) > 0
                ? chunks.near(descriptor.outRanges()[shard])
                : chunks;
    }

    private NewRows rows(
            Resolution resolution,
            ShardTable table,
            int shard,
            @Nullable ShardChanges of,
            int direction) {
        ShardChanges changes = of == null ? new ShardChanges() : of;
        changes.sort();
        Rows rows = direction == OUT ? graph.out() : graph.in();
        int oldSize = shard < graph.shards().count() ? graph.shards().size(shard) : 0;
        return new NewRows(
                rows, table.first(shard), oldSize, table.size(shard), changes, resolution.gone());
    }

    private long store(ChunkService chunks, NewRows rows) {
        int[] sizes = rows.sizes();
        return made.make(
                command.version(),
                chunks,
                sizes,
                pinned -> {
                    for (int row = 0; row < sizes.length; row++) {
                        rows.write(row, pinned.address(row));
                    }
                });
    }

    private long storeIds(ChunkService chunks, Resolution resolution, ShardTable table, int shard) {
        long first = table.first(shard);
        int oldSize = shard < graph.shards().count() ? graph.shards().size(shard) : 0;
        long[] ids = new long[table.size(shard)];
        if (oldSize > 0) {
            NativeMemory.copyToArray(graph.idAddress(first), ids, 0, oldSize);
        }
        for (int i = oldSize; i < ids.length; i++) {
            long number = first + i - resolution.firstAdded();
            ids[i] = number < 0 ? NO_ID : resolution.added()[(int) number];
        }
        return storeNumbers(chunks, ids);
    }

    /** Says once which ordinals lead to nobody. */
    private long storeGone(ChunkService chunks, Resolution resolution) {
        long[] numbers = GoneChunk.numbers(resolution.gone(), resolution.ordinals());
        return numbers.length == 0 ? 0 : storeNumbers(chunks, numbers);
    }

    private long storeNumbers(ChunkService chunks, long[] numbers) {
        return made.make(command.version(), chunks, numbers);
    }

    /** Changes of edges at own vertices, by direction and shard. */
    private @Nullable ShardChanges[][] changes(Resolution resolution, ShardTable table) {
        @Nullable ShardChanges[][] changes = new ShardChanges[2][table.count()];
        forEachEnd(
                resolution,
                table,
                (direction, row, other, at) -> {
                    int shard = table.shardOf(row);
                    if (changes[direction][shard] == null) {
                        changes[direction][shard] = new ShardChanges();
                    }
                    changes[direction][shard].expect();
                });
        for (ShardChanges[] direction : changes) {
            for (ShardChanges shard : direction) {
                if (shard != null) {
                    shard.begin();
                }
            }
        }
        forEachEnd(
                resolution,
                table,
                (direction, row, other, at) -> {
                    int shard = table.shardOf(row);
                    changes[direction][shard].add(
                            (int) (row - table.first(shard)),
                            other,
                            ChangeLayout.kind(at),
                            ChangeLayout.weight(at));
                });
        return changes;
    }

    /** Hears of a change of an edge at a row of this slave. */
    private interface EndVisitor {
        void visit(int direction, long row, long other, long at);
    }

    private void forEachEnd(Resolution resolution, ShardTable table, EndVisitor visitor) {
        LongConsumer each =
                at -> {
                    long first = ChangeLayout.first(at);
                    long second = ChangeLayout.second(at);
                    visitEnd(table, OUT, first, second, at, visitor);
                    if (!descriptor.directed()) {
                        visitEnd(table, OUT, second, first, at, visitor);
                    } else if (descriptor.hasOwnIncomingRows()) {
                        visitEnd(table, IN, second, first, at, visitor);
                    }
                };
        ChangeSender.forEach(node.chunks(), command.own(), each);
        ChangeList byId = resolution.edges();
        for (int i = 0; i < byId.count(); i++) {
            each.accept(byId.at(i));
        }
    }

    private void visitEnd(
            ShardTable table, int direction, long row, long other, long at, EndVisitor visitor) {
        if (table.ownerOf(row) == node.node()) {
            visitor.visit(direction, row, other, at);
        }
    }
}
