package org.starling.compute.internal.graph;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntToLongFunction;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;

/** Columns as they lie in chunks: one for each shard, and one that says which. */
public final class ColumnChunks {
    private ColumnChunks() {}

    /** Reads a manifest's chunk. */
    public static Manifest manifest(ChunkService chunks, long chunk) {
        byte[] bytes = chunks.get(chunk);
        long[] numbers = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(numbers);
        return Manifest.of(chunk, numbers);
    }

    /** A published column with the values of a node's own shards. */
    static Column restore(StoredColumn stored, StoredGraph graph, ChunkService chunks) {
        long[] first = manifest(chunks, stored.manifest()).chunks();
        Column column = new Column(stored.name(), stored.type(), graph.shards().vertices());
        return restored(column, shard -> first[shard], graph, chunks);
    }

    /** A property of vertices, likewise. */
    static Column restore(int property, StoredGraph graph, ChunkService chunks) {
        StoredProperty stored = graph.descriptor().properties().get(property);
        long[] first = graph.descriptor().propertyRanges();
        Column column = new Column(stored.name(), stored.type(), graph.shards().vertices());
        return restored(column, shard -> first[shard] + property, graph, chunks);
    }

    private static Column restored(
            Column column, IntToLongFunction chunk, StoredGraph graph, ChunkService chunks) {
        try {
            for (int shard : graph.ownShards()) {
                if (graph.shards().size(shard) > 0) {
                    read(chunks, chunk.applyAsLong(shard), column, graph.shards(), shard, false);
                }
            }
            return column;
        } catch (RuntimeException | Error e) {
            column.close();
            throw e;
        }
    }

    /**
     * Reads a column's values of one shard.
     *
     * @param mayBeShorter whether the shard may have had fewer vertices when they were written
     * @throws IllegalStateException if the chunk has another length
     */
    public static void read(
            ChunkService chunks,
            long chunk,
            Column column,
            ShardTable shards,
            int shard,
            boolean mayBeShorter) {
        int bytes = shards.size(shard) * column.type().width();
        long address = column.address() + shards.first(shard) * column.type().width();
        int read = chunks.get(chunk, address, bytes);
        if (read != bytes && (read > bytes || !mayBeShorter)) {
            throw new IllegalStateException(
                    "chunk %s has %d bytes of state \"%s\", not %d"
                            .formatted(ChunkId.toString(chunk), read, column.name(), bytes));
        }
    }
}
