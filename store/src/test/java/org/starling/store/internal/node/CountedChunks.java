package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.starling.store.ChunkService;
import org.starling.store.Durability;

/** Chunks that hold their place in the row and how often they were written. */
final class CountedChunks {
    private static final int CHUNK_BYTES = 64 << 10;

    /** Between two writes of one writer, which would take a whole core without it. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private CountedChunks() {}

    /** Makes so many on a peer, with backups. */
    static List<Long> fill(Node peer, int count) {
        ChunkService chunks = peer.chunks().with(Durability.PROCESS);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long id = chunks.create(CHUNK_BYTES);
            chunks.put(id, ByteBuffer.allocate(CHUNK_BYTES).putInt(i).array());
            ids.add(id);
        }
        return ids;
    }

    /** Writes each of one writer's own chunks in turn; gives back how often each was written. */
    static int[] countUp(
            ChunkService chunks, List<Long> ids, int own, int writers, AtomicBoolean isOver) {
        int[] counts = new int[ids.size()];
        for (int i = own; !isOver.get(); i = i + writers < ids.size() ? i + writers : own) {
            byte[] value = chunks.get(ids.get(i));
            assertThat(ByteBuffer.wrap(value).getInt(4)).isEqualTo(counts[i]);
            chunks.put(ids.get(i), ByteBuffer.wrap(value).putInt(4, ++counts[i]).array());
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return counts;
    }
}
