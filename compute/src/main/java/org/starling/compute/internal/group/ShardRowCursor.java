package org.starling.compute.internal.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.graph.RowCursor;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.RangeCopy;

/**
 * Rows of a graph, read from the store shard by shard. Holds a copy of one shard's rows at a time.
 * Confined to the job's thread, which closes it.
 */
final class ShardRowCursor implements RowCursor {
    private final GraphDescriptor descriptor;
    private final ShardTable shards;
    private final ChunkService chunks;
    private final RecoveryLoop loop;
    private final IntFunction<byte[]> fetchIds;
    private final AdjacencyLayout layout;
    private int shard = -1;
    private long ordinal = -1;
    private @Nullable RangeCopy rows;
    private ByteBuffer ids = ByteBuffer.allocate(0);

    /**
     * Reads from whoever owns the shards.
     *
     * @param fetchIds ids of a shard
     */
    ShardRowCursor(
            KnownGraph graph,
            ChunkService chunks,
            RecoveryLoop loop,
            IntFunction<byte[]> fetchIds) {
        this.descriptor = graph.descriptor();
        this.shards = graph.shards();
        this.chunks = chunks;
        this.loop = loop;
        this.fetchIds = fetchIds;
        this.layout = descriptor.rowLayout();
    }

    @Override
    public boolean next() {
        if (ordinal + 1 >= shards.vertices()) {
            return false;
        }
        ordinal++;
        while (shard < 0 || shards.end(shard) <= ordinal) {
            close();
            shard++;
            if (shards.size(shard) > 0) {
                fetch();
            }
        }
        return true;
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public long id() {
        return ids.getLong(index() * Long.BYTES);
    }

    @Override
    public int degree() {
        return layout.degree(row().bytes(index()));
    }

    @Override
    public long target(int index) {
        Objects.checkIndex(index, degree());
        return layout.target(row().address(index()), index);
    }

    @Override
    public float weight(int index) {
        Objects.checkIndex(index, degree());
        return layout.weighted()
                ? NativeMemory.getFloat(layout.weight(row().address(index()), degree(), index))
                : 1;
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
            rows = null;
        }
        ids = ByteBuffer.allocate(0);
    }

    private RangeCopy row() {
        if (rows == null) {
            throw new IllegalStateException("the cursor stands on no vertex");
        }
        return rows;
    }

    private int index() {
        return (int) (ordinal - shards.first(shard));
    }

    private void fetch() {
        long first = descriptor.outRanges()[shard];
        rows = loop.untilDone(() -> chunks.readRange(first, shards.size(shard)));
        ids = ByteBuffer.wrap(fetchIds.apply(shard)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
