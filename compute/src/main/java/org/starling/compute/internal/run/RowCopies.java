package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.List;
import org.starling.compute.internal.graph.PageMap;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;
import org.starling.store.ChunkService;
import org.starling.store.RangeCopy;

/**
 * Rows of all shards on one node: own ones where they lie, others copied, laid out as the store
 * lays out chunks so that {@link Rows} reads both alike. Owned by a run; freed with it. Costs 9 to
 * 12 bytes for each foreign vertex and the bytes of its row.
 */
final class RowCopies implements AutoCloseable {
    private record Region(long address, long bytes) {}

    private final List<Region> regions = new ArrayList<>();
    private final Rows rows;

    private RowCopies(StoredGraph graph, ChunkService chunks, StopSign stop) {
        try {
            this.rows = copy(graph, chunks, stop);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private Rows copy(StoredGraph graph, ChunkService chunks, StopSign stop) {
        ShardTable shards = graph.shards();
        Rows.Builder builder = new Rows.Builder(shards);
        for (int shard = 0; shard < shards.count(); shard++) {
            stop.check();
            if (shards.size(shard) == 0) {
                continue;
            }
            if (graph.out().hasShard(shard)) {
                addOwn(builder, graph, shard);
            } else {
                long first = graph.descriptor().outRanges()[shard];
                try (RangeCopy copy = chunks.readRange(first, shards.size(shard))) {
                    builder.piece(shards.first(shard), layOut(copy));
                }
            }
        }
        return builder.build(graph.descriptor().rowLayout());
    }

    /** Fetches what is not here. */
    static RowCopies fetch(StoredGraph graph, ChunkService chunks, StopSign stop) {
        return new RowCopies(graph, chunks, stop);
    }

    /** All rows. */
    Rows rows() {
        return rows;
    }

    /** Bytes of memory that the copies have taken. */
    long takenBytes() {
        return regions.stream().mapToLong(r -> PageMap.takenBytes(r.address, r.bytes)).sum();
    }

    @Override
    public void close() {
        regions.forEach(region -> NativeMemory.release(region.address, region.bytes));
        regions.clear();
    }

    private static void addOwn(Rows.Builder builder, StoredGraph graph, int shard) {
        long end = graph.shards().end(shard);
        for (long at = graph.shards().first(shard); at < end; at = graph.out().pieceEnd(at)) {
            builder.piece(at, graph.out().entryAddress(at));
        }
    }

    private long layOut(RangeCopy copy) {
        long blockBytes = ChunkEntryLayout.GUARD_BYTES;
        for (int i = 0; i < copy.count(); i++) {
            blockBytes += ChunkEntryLayout.blockBytes(copy.bytes(i));
        }
        long entries = region((long) copy.count() * ChunkEntryLayout.ENTRY_BYTES);
        long at = region(blockBytes) + ChunkEntryLayout.GUARD_BYTES;
        for (int i = 0; i < copy.count(); i++) {
            int bytes = copy.bytes(i);
            long entry = ChunkEntryLayout.writeHeader(at, bytes);
            NativeMemory.copy(copy.address(i), ChunkEntryLayout.payloadAddress(entry), bytes);
            NativeMemory.putLong(entries + (long) i * ChunkEntryLayout.ENTRY_BYTES, entry);
            at += ChunkEntryLayout.blockBytes(bytes);
        }
        return entries;
    }

    private long region(long bytes) {
        long address = NativeMemory.reserve(bytes);
        regions.add(new Region(address, bytes));
        return address;
    }
}
