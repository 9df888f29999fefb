package org.starling.compute.internal.query;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.Search;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.compute.internal.graph.TextIdsLayout;
import org.starling.compute.internal.protocol.PointMessage.NumberTextsTold;
import org.starling.compute.internal.protocol.PointMessage.Presence;
import org.starling.compute.internal.protocol.PointMessage.Word;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;

/**
 * A graph as small jobs of a peer read it: straight from the chunks of those shards that are here
 * now, which are pinned for as long as one look takes. What is kept between looks is the descriptor
 * and where runs of ids begin and end.
 *
 * <p>{@link #close} waits until nobody looks any more and lets nobody in afterwards, so that chunks
 * of a dropped graph can be removed. Any thread.
 */
final class OpenGraph implements AutoCloseable {
    /** Numbers of a run of ids. */
    private static final int FENCE = 4;

    /** Columns whose chunks are remembered. */
    private static final int MAX_COLUMNS = 1000;

    private final GraphDescriptor descriptor;
    private final ShardTable shards;
    private final AdjacencyLayout layout;
    private final ChunkService chunks;

    /** Held for reading by whoever looks. */
    private final ReentrantReadWriteLock looks = new ReentrantReadWriteLock();

    /** Guarded by {@link #looks}. */
    private boolean closed;

    /**
     * For each shard that was searched its runs of ascending ids: first ordinal, ordinal behind the
     * last, smallest and greatest id. Ids never change.
     */
    private final AtomicReferenceArray<long[]> fences;

    /** Chunks of published columns by shard; a publication never changes. */
    private final Map<Publication, long[]> columns = new ConcurrentHashMap<>();

    /** A published column. */
    record Publication(long manifest, long token) {}

    /** The graph has been dropped. */
    static final class GoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        GoneException() {
            super("the graph is gone");
        }
    }

    /** A shard is not on this node. */
    static final class MovedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MovedException(int shard) {
            super("shard " + shard + " is not here");
        }
    }

    OpenGraph(GraphDescriptor descriptor, ChunkService chunks) {
        this.descriptor = descriptor;
        this.shards = new ShardTable(descriptor.shardFirsts(), descriptor.shardOwners());
        this.layout = descriptor.rowLayout();
        this.chunks = chunks;
        this.fences = new AtomicReferenceArray<>(shards.count());
    }

    GraphDescriptor descriptor() {
        return descriptor;
    }

    ShardTable shards() {
        return shards;
    }

    /** Whether a shard is here now; one without vertices is everywhere. */
    boolean isHere(int shard) {
        return shards.size(shard) == 0 || chunks.isLocal(descriptor.outRanges()[shard]);
    }

    /**
     * Ordinal of an id, or -1 if no shard here has it.
     *
     * @param searched gets the shards that were searched
     */
    long find(long id, BitSet searched) {
        return look(() -> {
            long found = -1;
            for (int shard = 0; shard < shards.count() && found < 0; shard++) {
                if (isHere(shard)) {
                    found = shards.size(shard) == 0 ? -1 : findIn(shard, id);
                    searched.set(shard);
                }
            }
            return found;
        });
    }

    /** Ids of vertices that are here. */
    long[] ids(long[] ordinals) {
        return look(() -> {
            long[] ids = new long[ordinals.length];
            for (int i = 0; i < ids.length; i++) {
                int shard = hereOf(ordinals[i]);
                try (PinnedRange range = pin(shard, descriptor.idChunks()[shard])) {
                    long address = range.address(0);
                    do {
                        long index = ordinals[i] - shards.first(shard);
                        ids[i++] = NativeMemory.getLong(address + index * Long.BYTES);
                    } while (i < ids.length && shards.shardOf(ordinals[i]) == shard);
                    i--;
                }
            }
            return ids;
        });
    }

    /** A part of a row, and how many neighbours there are in all. */
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Row(int degree, long[] targets, int[] weightBits) {}

    /**
     * Neighbours of a vertex that is here.
     *
     * @param offset how many to leave out
     * @param limit the most to tell
     * @param weighted whether their weights are told, too, if there are any
     */
    Row row(long ordinal, boolean incoming, long offset, int limit, boolean weighted) {
        return look(() -> {
            int shard = hereOf(ordinal);
            long first = (incoming ? descriptor.inRanges() : descriptor.outRanges())[shard];
            try (PinnedRange range = pin(shard, first + (ordinal - shards.first(shard)))) {
                int degree = layout.degree(range.bytes(0));
                int from = (int) Math.min(degree, offset);
                int count = Math.min(limit, degree - from);
                long address = range.address(0);
                long[] targets = new long[count];
                int[] weights = new int[weighted && layout.weighted() ? count : 0];
                for (int i = 0; i < count; i++) {
                    targets[i] = layout.target(address, from + i);
                }
                for (int i = 0; i < weights.length; i++) {
                    weights[i] = NativeMemory.getInt(layout.weight(address, degree, from + i));
                }
                return new Row(degree, targets, weights);
            }
        });
    }

    /** Chunks of a column's values, if somebody has said them. */
    long @Nullable [] column(Publication column) {
        return columns.get(column);
    }

    /** Remembers the chunks of a column's values. */
    void learn(Publication column, long[] chunkOfShard) {
        if (columns.size() >= MAX_COLUMNS) {
            columns.clear();
        }
        columns.put(column, chunkOfShard);
    }

    /** A vertex' value of a column: bits of each element. */
    long[] value(long ordinal, StateType type, long[] chunkOfShard) {
        return look(() -> {
            int shard = hereOf(ordinal);
            try (PinnedRange range = pin(shard, chunkOfShard[shard])) {
                int width = type.element().width();
                long index = ordinal - shards.first(shard);
                if (range.bytes(0) != (long) shards.size(shard) * type.width()) {
                    throw new GoneException(); // it is no value of this column any more
                }
                long address = range.address(0) + index * type.width();
                long[] bits = new long[type.length()];
                for (int i = 0; i < bits.length; i++) {
                    bits[i] = type.element().read(address + (long) i * width);
                }
                return bits;
            }
        });
    }

    /** A vertex' string of a property, which lies in these chunks. */
    String string(long ordinal, long[] chunkOfShard) {
        return look(() -> {
            int shard = hereOf(ordinal);
            try (PinnedRange range = pin(shard, chunkOfShard[shard])) {
                long chunk = range.address(0);
                long index = ordinal - shards.first(shard);
                int code = NativeMemory.getInt(StringsLayout.codes(chunk) + index * Integer.BYTES);
                return StringsLayout.string(chunk, code);
            }
        });
    }

    /** Texts of an answer come to about as much, in characters. */
    private static final int MAX_CHARACTERS = 1 << 18;

    /**
     * Numbers of ids that are texts, or -1 for those that are not with shards here.
     *
     * @param searched gets the shards that were searched
     */
    long[] numbers(List<String> texts, BitSet searched) {
        return look(() -> {
            long[] numbers = new long[texts.size()];
            Arrays.fill(numbers, -1);
            List<byte[]> wanted =
                    texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
            for (int shard = 0; shard < shards.count(); shard++) {
                if (isHere(shard)) {
                    if (shards.size(shard) > 0) {
                        find(shard, wanted, numbers);
                    }
                    searched.set(shard);
                }
            }
            return numbers;
        });
    }

    private void find(int shard, List<byte[]> wanted, long[] numbers) {
        try (PinnedRange range = pin(shard, descriptor.textChunk(shard))) {
            for (int i = 0; i < numbers.length; i++) {
                int found =
                        numbers[i] >= 0 ? -1 : TextIdsLayout.find(range.address(0), wanted.get(i));
                numbers[i] = found >= 0 ? shards.first(shard) + found : numbers[i];
            }
        }
    }

    /** Texts of those of some ids that are with shards here, as many as fit into an answer. */
    NumberTextsTold texts(long[] numbers) {
        return look(() -> {
            List<Integer> indexes = new ArrayList<>();
            List<String> texts = new ArrayList<>();
            long characters = 0;
            for (int i = 0; i < numbers.length && characters < MAX_CHARACTERS; i++) {
                Objects.checkIndex(numbers[i], shards.vertices());
                int shard = shards.shardOf(numbers[i]);
                if (isHere(shard)) {
                    String text = text(shard, (int) (numbers[i] - shards.first(shard)));
                    indexes.add(i);
                    texts.add(text);
                    characters += text.length();
                }
            }
            return new NumberTextsTold(
                    Word.of(Presence.FOUND),
                    indexes.stream().mapToInt(Integer::intValue).toArray(),
                    texts);
        });
    }

    private String text(int shard, int index) {
        try (PinnedRange range = pin(shard, descriptor.textChunk(shard))) {
            return TextIdsLayout.text(range.address(0), index);
        }
    }

    /** Lets nobody look any more, and waits for those that do. */
    @Override
    public void close() {
        looks.writeLock().lock();
        try {
            closed = true;
        } finally {
            looks.writeLock().unlock();
        }
    }

    private <T> T look(Supplier<T> work) {
        looks.readLock().lock();
        try {
            if (closed) {
                throw new GoneException();
            }
            return work.get();
        } finally {
            looks.readLock().unlock();
        }
    }

    private int hereOf(long ordinal) {
        int shard = shards.shardOf(ordinal);
        if (!isHere(shard)) {
            throw new MovedException(shard);
        }
        return shard;
    }

    private PinnedRange pin(int shard, long chunk) {
        try {
            return chunks.pin(chunk, 1);
        } catch (ChunkNotFoundException removed) {
            throw removed;
        } catch (StoreException elsewhere) {
            if (chunks.isLocal(chunk)) {
                throw elsewhere;
            }
            throw new MovedException(shard);
        }
    }

    private long findIn(int shard, long id) {
        try (PinnedRange range = pin(shard, descriptor.idChunks()[shard])) {
            if (range.bytes(0) != (long) shards.size(shard) * Long.BYTES) {
                throw new GoneException(); // it is being removed
            }
            long base = range.address(0) - shards.first(shard) * Long.BYTES;
            long[] fence = fences.get(shard);
            if (fence == null) {
                fence = fence(shard, base);
                fences.set(shard, fence);
            }
            for (int i = 0; i < fence.length; i += FENCE) {
                if (Long.compareUnsigned(fence[i + 2], id) <= 0
                        && Long.compareUnsigned(id, fence[i + 3]) <= 0) {
                    long found = Search.ordinal(base, fence[i], fence[i + 1], id);
                    if (found >= 0) {
                        return found;
                    }
                }
            }
            return -1;
        }
    }

    private long[] fence(int shard, long base) {
        long[] runs = descriptor.idRuns();
        LongStream.Builder fence = LongStream.builder();
        long first = shards.first(shard);
        long end = shards.end(shard);
        for (int run = 0; first < end; run++) {
            long runEnd = run + 1 < runs.length ? Math.min(runs[run + 1], end) : end;
            if (runEnd > first) {
                fence.add(first)
                        .add(runEnd)
                        .add(NativeMemory.getLong(base + first * Long.BYTES))
                        .add(NativeMemory.getLong(base + (runEnd - 1) * Long.BYTES));
                first = runEnd;
            }
        }
        return fence.build().toArray();
    }

    @Override
    public String toString() {
        return "graph at " + ChunkId.toString(descriptor.outRanges()[0]);
    }
}
