package org.starling.compute.internal.query;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.starling.compute.columns.ColumnBatch;
import org.starling.compute.columns.ColumnField;
import org.starling.compute.columns.ColumnTable;
import org.starling.compute.columns.ColumnValues;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.compute.internal.protocol.PointMessage.GraphAt;
import org.starling.compute.internal.query.KeptColumns.Found;
import org.starling.compute.internal.query.OpenGraph.GoneException;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Columns of one kept graph, read from the store shard by shard: a shard's ids and values lie in a
 * chunk each. While some shards are handed on the next ones are on their way. Any thread; each
 * reading is confined to one.
 */
final class ColumnReader implements ColumnTable {
    /** Vertices whose ids are asked of their owners at once. */
    private static final int VERTICES_AT_ONCE = 1 << 13;

    /**
     * So much is read at once, and one shard at least, and the catalogue once for it: two such
     * windows are in memory, one that is handed on and one that is on its way.
     */
    private static final long WINDOW_BYTES = 8L << 20;

    private final StoreNode store;
    private final Duration patience;
    private final OpenGraph graph;
    private final List<Found> columns;

    /** Throws if the graph or one of the columns is another one now. */
    private final Runnable check;

    private final GraphAt at;
    private final Owners owners;
    private final int rowBytes;

    ColumnReader(
            StoreNode store,
            Duration patience,
            OpenGraph graph,
            GraphAt at,
            List<Found> columns,
            Runnable check) {
        this.store = store;
        this.patience = patience;
        this.graph = graph;
        this.at = at;
        this.columns = List.copyOf(columns);
        this.check = check;
        this.owners = new Owners(store);
        this.rowBytes =
                Long.BYTES + columns.stream().mapToInt(column -> column.type().width()).sum();
    }

    @Override
    public long vertices() {
        return graph.shards().vertices();
    }

    @Override
    public List<ColumnField> fields() {
        return columns.stream().map(Found::field).toList();
    }

    @Override
    public void read(long offset, long limit, Sink sink) throws IOException {
        long first = Math.min(offset, vertices());
        long end = first + Math.min(limit, vertices() - first);
        if (first == end) {
            return;
        }
        List<Shard> next = request(first, end);
        while (first < end) {
            List<Shard> now = next;
            long nextFirst = Math.min(end, now.getLast().end());
            next = request(nextFirst, end);
            now.forEach(Shard::receive);
            check.run();
            for (Shard shard : now) {
                first = shard.handOn(first, end, sink);
            }
        }
    }

    /** Asks for some shards, beginning with that of an ordinal; for none behind the end. */
    private List<Shard> request(long ordinal, long end) {
        List<Shard> some = new ArrayList<>();
        long bytes = 0;
        for (long first = ordinal; first < end && bytes < WINDOW_BYTES; ) {
            Shard shard = new Shard(graph.shards().shardOf(first));
            some.add(shard);
            bytes += (long) shard.size * rowBytes;
            first = shard.end();
        }
        return some;
    }

    /** One shard's chunks. */
    private final class Shard {
        private final long first;
        private final int size;
        private final long[] chunks;
        private final List<CompletableFuture<byte[]>> requests;
        private final List<byte[]> bytes = new ArrayList<>();

        private Shard(int number) {
            this.first = graph.shards().first(number);
            this.size = graph.shards().size(number);
            this.chunks = new long[1 + columns.size()];
            chunks[0] = graph.descriptor().idChunks()[number];
            for (int i = 0; i < columns.size(); i++) {
                chunks[1 + i] = columns.get(i).chunkOfShard()[number];
            }
            this.requests = Arrays.stream(chunks).mapToObj(store.chunks()::getAsync).toList();
        }

        private long end() {
            return first + size;
        }

        /** Hands on the rows from an ordinal on; where to go on. */
        private long handOn(long ordinal, long end, Sink sink) throws IOException {
            long from = ordinal;
            long shardEnd = Math.min(end, end());
            while (from < shardEnd) {
                int rows = (int) Math.min(ColumnBatch.MAX_ROWS, shardEnd - from);
                sink.take(batch(from, rows));
                from += rows;
            }
            return from;
        }

        /** Waits for all of them, and checks their lengths. */
        private void receive() {
            for (int i = 0; i < chunks.length; i++) {
                bytes.add(received(i));
            }
            requireBytes(0, Long.BYTES);
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).type().element() != ColumnType.STRING) {
                    requireBytes(1 + i, columns.get(i).type().width());
                }
            }
        }

        private byte[] received(int index) {
            try {
                return requests.get(index).join();
            } catch (CompletionException failed) {
                if (!(failed.getCause() instanceof StoreException)
                        || failed.getCause() instanceof ChunkNotFoundException) {
                    throw gone();
                }
                return again(chunks[index]);
            }
        }

        /** Its owner was lost, perhaps; it has another one soon. */
        private byte[] again(long chunk) {
            ChunkService service = store.chunks();
            try {
                service.awaitOwner(chunk, patience);
                return service.get(chunk);
            } catch (ChunkNotFoundException removed) {
                throw gone();
            }
        }

        private void requireBytes(int index, int width) {
            if (bytes.get(index).length != (long) size * width) {
                throw gone();
            }
        }

        private ColumnBatch batch(long ordinal, int rows) {
            int from = (int) (ordinal - first);
            List<ColumnValues> values = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                StateType type = columns.get(i).type();
                byte[] chunk = bytes.get(1 + i);
                values.add(
                        switch (type.element()) {
                            case STRING -> strings(chunk, from, rows);
                            case ID -> throw new IllegalStateException("ids are texts");
                            case VERTEX ->
                                    vertices(slice(chunk, from, rows, type), rows * type.length());
                            case BOOLEAN, INT, LONG, FLOAT, DOUBLE ->
                                    ColumnValues.of(slice(chunk, from, rows, type));
                        });
            }
            ByteBuffer ids =
                    ByteBuffer.wrap(bytes.get(0), from * Long.BYTES, rows * Long.BYTES).slice();
            return new ColumnBatch(rows, ids, values);
        }
    }

    private static ByteBuffer slice(byte[] chunk, int from, int rows, StateType type) {
        return ByteBuffer.wrap(chunk, from * type.width(), rows * type.width())
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ColumnValues strings(byte[] chunk, int from, int rows) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(chunk.length, Long.BYTES);
            MemorySegment.copy(MemorySegment.ofArray(chunk), 0, copy, 0, chunk.length);
            long address = copy.address();
            long codes = StringsLayout.codes(address) + (long) from * Integer.BYTES;
            ByteBuffer starts =
                    ByteBuffer.allocate((rows + 1) * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            int end = 0;
            starts.putInt(end);
            for (int i = 0; i < rows; i++) {
                int code = NativeMemory.getInt(codes + (long) i * Integer.BYTES);
                end = Math.addExact(end, StringsLayout.bytes(address, code));
                starts.putInt(end);
            }
            byte[] text = new byte[end];
            for (int i = 0; i < rows; i++) {
                int code = NativeMemory.getInt(codes + (long) i * Integer.BYTES);
                NativeMemory.copyToArray(
                        StringsLayout.address(address, code),
                        text,
                        starts.getInt(i * Integer.BYTES),
                        StringsLayout.bytes(address, code));
            }
            return new ColumnValues(starts.flip(), ByteBuffer.wrap(text), ByteBuffer.allocate(0));
        }
    }

    /** Ids instead of ordinals. */
    private ColumnValues vertices(ByteBuffer ordinals, int count) {
        ByteBuffer ids = ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        byte[] present = new byte[(count + Byte.SIZE - 1) / Byte.SIZE];
        boolean all = true;
        long[] asked = new long[VERTICES_AT_ONCE];
        for (int from = 0; from < count; from += VERTICES_AT_ONCE) {
            int some = Math.min(VERTICES_AT_ONCE, count - from);
            int there = 0;
            for (int i = from; i < from + some; i++) {
                long ordinal = ordinals.getLong(i * Long.BYTES);
                if (ordinal >= 0) {
                    asked[there++] = ordinal;
                    present[i / Byte.SIZE] |= (byte) (1 << i % Byte.SIZE);
                }
            }
            all &= there == some;
            long[] told = ids(Arrays.copyOf(asked, there));
            int next = 0;
            for (int i = from; i < from + some; i++) {
                boolean isThere = ordinals.getLong(i * Long.BYTES) >= 0;
                ids.putLong(i * Long.BYTES, isThere ? told[next++] : 0);
            }
        }
        return new ColumnValues(
                ids, ByteBuffer.allocate(0), ByteBuffer.wrap(all ? new byte[0] : present));
    }

    private long[] ids(long[] ordinals) {
        try {
            return owners.ids(at, graph, ordinals, Deadline.in(patience));
        } catch (GoneException dropped) {
            throw gone();
        }
    }

    private StoreException gone() {
        return new StoreException(
                "graph \"%s\" or one of its columns was dropped or replaced while it was read; ask again"
                        .formatted(graph.descriptor().name()));
    }
}
