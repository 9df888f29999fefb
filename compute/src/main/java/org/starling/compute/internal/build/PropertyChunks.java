package org.starling.compute.internal.build;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.TextIdsLayout;
import org.starling.graph.InvalidInputException;
import org.starling.graph.VertexId;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.PinnedRange;

/**
 * Brings a shard's values of properties into chunks beside its rows: a chunk for each property of
 * vertices, then one for each of edges, then one of ids that are texts. Owned by {@link
 * SlaveBuild}; workers store.
 */
final class PropertyChunks {
    /** Instead of a rank: there is none. */
    static final long NONE = -1;

    private final BuildChunks chunks;
    private final EdgeRecords vertices;
    private final EdgeRecords edges;

    /** Null if ids are numbers. */
    private final @Nullable TextPieces texts;

    /** Of a vertex that has values twice, the rank of its text, which others know; or none. */
    private final AtomicLong twice = new AtomicLong(NONE);

    PropertyChunks(
            BuildChunks chunks,
            EdgeRecords vertices,
            EdgeRecords edges,
            @Nullable TextPieces texts) {
        this.chunks = chunks;
        this.texts = texts;
        this.vertices = vertices;
        this.edges = edges;
    }

    /** Number of chunks of a shard. */
    int count() {
        return properties() + (texts == null ? 0 : 1);
    }

    private int properties() {
        return vertices.properties().count() + edges.properties().count();
    }

    /** Rank of a vertex that has values twice, where ids are texts; or {@link #NONE}. */
    long twice() {
        return twice.get();
    }

    /** Bytes of a shard's ids that are texts. */
    long textBytes(int shard) {
        return texts == null ? 0 : TextIdsLayout.bytes(texts.of(shard));
    }

    /**
     * Writes values; the first chunk, or 0 if the shard has no vertices.
     *
     * @param near makes chunks beside the rows
     * @param rows of outgoing edges
     * @param size number of vertices
     * @param values of vertices, each with its index in the shard
     * @param ofVertices dictionaries of their strings
     * @param ofEdges dictionaries of the edges' strings
     * @param id id of the vertex at an index, for people
     * @param shard number of the shard
     * @throws InvalidInputException if a vertex has values twice, or a column is too large
     */
    long store(
            ChunkService near,
            ShardRows rows,
            int size,
            List<Records> values,
            ShardStrings ofVertices,
            ShardStrings ofEdges,
            IntToLongFunction id,
            int shard) {
        if (size == 0) {
            return 0;
        }
        checkOnce(size, values, id);
        int[] sizes = new int[count()];
        int first = vertices.properties().count();
        for (int i = 0; i < properties(); i++) {
            sizes[i] =
                    i < first
                            ? bytes(vertices.properties(), i, size, ofVertices)
                            : bytes(edges.properties(), i - first, rows.edges(), ofEdges);
        }
        if (texts != null) {
            sizes[properties()] = textChunkBytes(shard);
        }
        return chunks.store(
                near,
                sizes,
                pinned -> {
                    if (texts != null) {
                        TextIdsLayout.write(pinned.address(properties()), texts.of(shard));
                    }
                    writeVertices(pinned, size, values, ofVertices);
                    for (int i = 0; i < edges.properties().count(); i++) {
                        rows.writeProperty(
                                edges.properties().offset(i),
                                edges.properties().type(i).width(),
                                ofEdges.write(i, pinned.address(first + i)));
                    }
                });
    }

    private int textChunkBytes(int shard) {
        long bytes = textBytes(shard);
        if (bytes > Integer.MAX_VALUE) {
            throw new InvalidInputException(
                    "ids of %d vertices take more than 2 GiB; take shorter ids"
                            .formatted(Objects.requireNonNull(texts).of(shard).size()));
        }
        return (int) bytes;
    }

    private static int bytes(
            PropertyLayout layout, int property, long count, ShardStrings strings) {
        long bytes = layout.type(property).width() * count + strings.bytes(property);
        if (bytes > Integer.MAX_VALUE) {
            throw new InvalidInputException(
                    "property \"%s\" takes more than 2 GiB in a shard of %d; take a narrower type, or shorter strings"
                            .formatted(layout.stored(false).get(property).name(), count));
        }
        return (int) bytes;
    }

    private void checkOnce(int size, List<Records> values, IntToLongFunction id) {
        BitSet seen = new BitSet(size);
        for (Records part : values) {
            part.forEach(at -> {
                int index = (int) vertices.first(at);
                if (seen.get(index) && texts != null) {
                    twice.compareAndSet(NONE, id.applyAsLong(index));
                } else if (seen.get(index)) {
                    throw new InvalidInputException(
                            "vertex %s has properties twice; leave one of its lines out"
                                    .formatted(VertexId.text(id.applyAsLong(index))));
                }
                seen.set(index);
            });
        }
    }

    /** Who has no values has 0, false and the code of the empty string. */
    private void writeVertices(
            PinnedRange pinned, int size, List<Records> values, ShardStrings strings) {
        PropertyLayout layout = vertices.properties();
        for (int property = 0; property < layout.count(); property++) {
            long column = strings.write(property, pinned.address(property));
            int offset = layout.offset(property);
            int width = layout.type(property).width();
            NativeMemory.fill(column, (long) size * width, (byte) 0);
            for (Records part : values) {
                part.forEach(at ->
                        NativeMemory.copy(
                                vertices.values(at) + offset,
                                column + vertices.first(at) * width,
                                width));
            }
        }
    }
}
