package org.starling.compute.internal.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.ComputeMessage.Bytes;
import org.starling.compute.internal.protocol.ComputeMessage.StateReply;
import org.starling.graph.StateCursor;

/**
 * Values of a state, fetched shard by shard. Holds one shard's values at a time. Confined to the
 * job's thread.
 */
final class ShardStateCursor implements StateCursor {
    /** Fetches parts of a state, whoever owns them. */
    interface Fetch {
        /** Values of a shard. */
        StateReply values(int shard);

        /** Ids of a shard. */
        Bytes ids(int shard);
    }

    private final Fetch fetch;
    private final ShardTable shards;
    private int shard = -1;
    private long ordinal = -1;
    private ColumnType type = ColumnType.LONG;
    private ByteBuffer values = ByteBuffer.allocate(0);
    private ByteBuffer ids = ByteBuffer.allocate(0);

    ShardStateCursor(ShardTable shards, Fetch fetch) {
        this.fetch = fetch;
        this.shards = shards;
        if (shards.count() > 0) {
            fetch(0);
        }
    }

    @Override
    public boolean next() {
        if (ordinal + 1 >= shards.vertices()) {
            return false;
        }
        ordinal++;
        while (shards.end(shard) <= ordinal) {
            fetch(shard + 1);
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
    public long asLong() {
        return type.asLong(bits());
    }

    @Override
    public double asDouble() {
        return type.asDouble(bits());
    }

    /** The value as people write it. */
    String text() {
        return type.format(bits());
    }

    @Override
    public void close() {
        values = ByteBuffer.allocate(0);
        ids = ByteBuffer.allocate(0);
    }

    private int index() {
        return (int) (ordinal - shards.first(shard));
    }

    private long bits() {
        return type.width() == Integer.BYTES
                ? values.getInt(index() * Integer.BYTES)
                : values.getLong(index() * Long.BYTES);
    }

    private void fetch(int newShard) {
        shard = newShard;
        StateReply reply = fetch.values(shard);
        type = ColumnType.of(reply.columnType());
        values = ByteBuffer.wrap(reply.values()).order(ByteOrder.LITTLE_ENDIAN);
        ids = ByteBuffer.wrap(fetch.ids(shard).values()).order(ByteOrder.LITTLE_ENDIAN);
    }
}
