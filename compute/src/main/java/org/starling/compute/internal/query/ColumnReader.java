package org.starling.compute.internal.query;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.starling.compute.columns.ColumnBatch;
import org.starling.compute.columns.ColumnField;
import org.starling.compute.columns.ColumnTable;
import org.starling.compute.columns.ColumnValues;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.PointMessage.GraphAt;
import org.starling.compute.internal.query.KeptColumns.Found;
import org.starling.compute.internal.query.OpenGraph.GoneException;
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

    private static final byte[] NO_TEXT = new byte[0];

    private final StoreNode store;
    private final Duration patience;
    private final OpenGraph graph;
    private final List<Found> columns;

    /** Throws if the graph or one of the columns is another one now. */
    private final Runnable check;

    private final GraphAt at;
    private final Owners owners;
    private final int rowBytes;

    /** Of each column of texts in a batch. */
    private final long textBytes;

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
        long texts = fields().stream().filter(one -> one.kind().isText()).count();
        this.textBytes = ColumnBatch.TEXT_BYTES / (1 + texts);
        this.rowBytes =
                Long.BYTES + columns.stream().mapToInt(column -> column.type().width()).sum();
    }

    @Override
    public long vertices() {
        return graph.shards().vertices();
    }

    @Override
    public ColumnField id() {
        ColumnType type = ColumnType.ID;
        return new ColumnField("id", KeptColumns.kind(type, graph.descriptor().textIds()), 1);
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
            try (Arena arena = Arena.ofConfined()) {
                now.forEach(shard -> shard.receive(arena));
                check.run();
                for (Shard shard : now) {
                    first = shard.handOn(first, end, sink);
                }
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
            bytes += (long) shard.size * rowBytes + shard.stringBytes();
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

        /** By column; null where it has no strings. */
        private final List<@Nullable ShardStrings> strings = new ArrayList<>();

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

        /**
         * Of all its columns of strings, their codes left out; not of those whose owner is lost.
         */
        private long stringBytes() {
            long all = 0;
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).type().element() == ColumnType.STRING) {
                    all += Math.max(0, bytes(chunks[1 + i]) - (long) size * Integer.BYTES);
                }
            }
            return all;
        }

        private long bytes(long chunk) {
            try {
                return store.chunks().size(chunk);
            } catch (ChunkNotFoundException removed) {
                throw gone();
            } catch (StoreException lost) {
                return 0; // it is waited for where it is received
            }
        }

        /** Hands on the rows from an ordinal on; where to go on. */
        private long handOn(long ordinal, long end, Sink sink) throws IOException {
            long from = ordinal;
            long shardEnd = Math.min(end, end());
            while (from < shardEnd) {
                int rows = (int) Math.min(ColumnBatch.MAX_ROWS, shardEnd - from);
                ColumnBatch batch = batch((int) (from - first), rows);
                sink.take(batch);
                from += batch.rows();
            }
            return from;
        }

        /**
         * Waits for all of them, and checks their lengths.
         *
         * @param arena where strings lie until the shard has been handed on
         */
        private void receive(Arena arena) {
            bytes.add(requireBytes(received(0), Long.BYTES));
            for (int i = 0; i < columns.size(); i++) {
                boolean isString = columns.get(i).type().element() == ColumnType.STRING;
                byte[] chunk = received(1 + i);
                strings.add(isString ? new ShardStrings(chunk, arena) : null);
                bytes.add(
                        isString
                                ? new byte[0]
                                : requireBytes(chunk, columns.get(i).type().width()));
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

        private byte[] requireBytes(byte[] chunk, int width) {
            if (chunk.length != (long) size * width) {
                throw gone();
            }
            return chunk;
        }

        /** Rows from an index on, as many as there is room for. */
        private ColumnBatch batch(int from, int most) {
            int rows = most;
            for (ShardStrings column : strings) {
                rows = column == null ? rows : column.fitting(from, rows, textBytes);
            }
            Map<Integer, Names> names = new HashMap<>();
            if (id().kind().isText()) {
                Names ids = names(slice(bytes.get(0), from, rows, Long.BYTES), false);
                names.put(0, ids);
                rows = ids.texts.size();
            }
            for (int i = 0; i < columns.size(); i++) {
                Found column = columns.get(i);
                if (column.field().kind() == ColumnField.Kind.NAME) {
                    ByteBuffer values = slice(bytes.get(1 + i), from, rows, Long.BYTES);
                    Names some = names(values, column.type().element() == ColumnType.VERTEX);
                    names.put(1 + i, some);
                    rows = some.texts.size();
                }
            }
            List<ColumnValues> values = new ArrayList<>();
            for (int i = 0; i <= columns.size(); i++) {
                Names named = names.get(i);
                values.add(named == null ? values(i, from, rows) : named.values(rows));
            }
            return new ColumnBatch(rows, values.getFirst(), values.subList(1, values.size()));
        }

        /** Values that are no names: ids if the index is 0, then those of columns. */
        private ColumnValues values(int index, int from, int rows) {
            if (index == 0) {
                return ColumnValues.of(slice(bytes.get(0), from, rows, Long.BYTES));
            }
            ShardStrings texts = strings.get(index - 1);
            if (texts != null) {
                return texts.values(from, rows);
            }
            StateType type = columns.get(index - 1).type();
            ByteBuffer values = slice(bytes.get(index), from, rows, type.width());
            return type.element() == ColumnType.VERTEX
                    ? vertices(values, rows * type.length())
                    : ColumnValues.of(values);
        }
    }

    /** Ids of some vertices that are texts; null for no vertex. */
    private static final class Names {
        private final List<byte @Nullable []> texts = new ArrayList<>();

        private ColumnValues values(int count) {
            List<byte[]> there = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                byte[] text = texts.get(i);
                there.add(text == null ? NO_TEXT : text);
            }
            return ColumnValues.ofTexts(
                    there, ColumnValues.present(count, i -> texts.get(i) != null));
        }
    }

    /**
     * Reads texts until they come to as much as a batch has, one at least.
     *
     * @param numbers ids or ordinals; negative ones for no vertex
     */
    private Names names(ByteBuffer numbers, boolean areOrdinals) {
        Names names = new Names();
        int count = numbers.remaining() / Long.BYTES;
        long bytes = 0;
        while (names.texts.size() < count && bytes < textBytes) {
            int from = names.texts.size();
            int some = Math.min(VERTICES_AT_ONCE, count - from);
            long[] ids = present(numbers, from, some);
            List<String> told = ids.length == 0 ? List.of() : texts(areOrdinals ? ids(ids) : ids);
            int next = 0;
            for (int i = from; i < from + some; i++) {
                boolean isThere = numbers.getLong(i * Long.BYTES) >= 0;
                if (isThere && next == told.size()) {
                    break; // the others are asked for again
                }
                byte[] text = isThere ? told.get(next++).getBytes(StandardCharsets.UTF_8) : null;
                names.texts.add(text);
                bytes += text == null ? 0 : text.length;
            }
        }
        return names;
    }

    /** Those of some numbers that are no negative ones. */
    private static long[] present(ByteBuffer numbers, int from, int count) {
        long[] present = new long[count];
        int there = 0;
        for (int i = from; i < from + count; i++) {
            long number = numbers.getLong(i * Long.BYTES);
            if (number >= 0) {
                present[there++] = number;
            }
        }
        return Arrays.copyOf(present, there);
    }

    private List<String> texts(long[] ids) {
        try {
            return owners.texts(at, graph, ids, textBytes, Deadline.in(patience));
        } catch (GoneException dropped) {
            throw gone();
        }
    }

    private static ByteBuffer slice(byte[] chunk, int from, int rows, int width) {
        return ByteBuffer.wrap(chunk, from * width, rows * width)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Ids instead of ordinals. */
    private ColumnValues vertices(ByteBuffer ordinals, int count) {
        ByteBuffer ids = ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int from = 0; from < count; from += VERTICES_AT_ONCE) {
            int some = Math.min(VERTICES_AT_ONCE, count - from);
            long[] told = ids(present(ordinals, from, some));
            int next = 0;
            for (int i = from; i < from + some; i++) {
                boolean isThere = ordinals.getLong(i * Long.BYTES) >= 0;
                ids.putLong(i * Long.BYTES, isThere ? told[next++] : 0);
            }
        }
        return ColumnValues.of(
                ids, ColumnValues.present(count, i -> ordinals.getLong(i * Long.BYTES) >= 0));
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
