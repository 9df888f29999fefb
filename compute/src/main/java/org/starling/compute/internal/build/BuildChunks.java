package org.starling.compute.internal.build;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.run.Slaves;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.PinnedRange;

/**
 * The chunks of a build: those that this slave has made, and those that others have told it of.
 * Every slave tells all others: should it be lost before the build ends, they alone know. Owned by
 * {@link SlaveBuild}; workers store, receiving threads hear.
 */
final class BuildChunks {
    private final Exchange exchange;
    private final Slaves slaves;
    private final List<Range> created = new ArrayList<>();
    private final List<Range> foreign = new ArrayList<>();

    private record Range(long first, int count) {}

    BuildChunks(Exchange exchange, Slaves slaves) {
        this.exchange = exchange;
        this.slaves = slaves;
    }

    /** Writes rows into a chunk each; the first of them, or 0 if there are none. */
    long store(int worker, ChunkService chunks, ShardRows rows) {
        int[] sizes = rows.sizes();
        if (sizes.length == 0) {
            return 0;
        }
        long first = chunks.createRange(sizes);
        remember(worker, first, sizes.length);
        try (PinnedRange pinned = chunks.pin(first, sizes.length)) {
            rows.writeTo(pinned);
        }
        chunks.replicate(first, sizes.length);
        return first;
    }

    /** Writes ids into one chunk; 0 if there are none. */
    long store(int worker, ChunkService chunks, long[] ids) {
        if (ids.length == 0) {
            return 0;
        }
        long chunk = chunks.create(Math.multiplyExact(ids.length, Long.BYTES));
        remember(worker, chunk, 1);
        try (PinnedRange pinned = chunks.pin(chunk, 1)) {
            NativeMemory.copyFromArray(ids, 0, pinned.address(0), ids.length);
        }
        chunks.replicate(chunk, 1);
        return chunk;
    }

    /** Removes what was made here. */
    void remove(ChunkService chunks) {
        created.forEach(range -> chunks.removeRange(range.first, range.count));
        created.clear();
    }

    /** First chunk and number of each range that others have made, as far as they have told. */
    long[] foreign() {
        synchronized (foreign) {
            return foreign.stream()
                    .flatMapToLong(range -> LongStream.of(range.first, range.count))
                    .toArray();
        }
    }

    /** Takes a block of ranges that another slave has made. */
    void onCreated(long records, long end, int count) {
        Exchange.check(count * 2L * Long.BYTES == end - records);
        synchronized (foreign) {
            for (long at = records; at < end; at += 2 * Long.BYTES) {
                long chunks = NativeMemory.getLong(at + 8);
                Exchange.check(chunks > 0 && chunks <= Integer.MAX_VALUE);
                foreign.add(new Range(NativeMemory.getLong(at), (int) chunks));
            }
        }
    }

    private void remember(int worker, long first, int count) {
        synchronized (created) {
            created.add(new Range(first, count));
        }
        for (int slave = 0; slave < slaves.count() && ChunkId.isReplicated(first); slave++) {
            if (slave != slaves.selfIndex()) {
                long to =
                        exchange.outbox(worker, slave, Exchange.LANE)
                                .record(BlockLayout.CREATED, 0, 0, 2 * Long.BYTES);
                NativeMemory.putLong(to, first);
                NativeMemory.putLong(to + 8, count);
            }
        }
        exchange.flush(worker);
    }
}
