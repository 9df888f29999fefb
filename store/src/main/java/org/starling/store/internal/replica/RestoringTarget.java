package org.starling.store.internal.replica;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.starling.store.ChunkId;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.log.EntryCursor;
import org.starling.store.internal.log.EntryLayout;
import org.starling.store.internal.log.ReplayTarget;

/**
 * Puts what a log tells into the memory of this node. Called by several replaying threads at once;
 * one for each replay. Values at or before {@code trustedAfter} may be stale: their chunks are
 * noted as lost.
 */
final class RestoringTarget implements ReplayTarget {
    private final long zone;
    private final LocalChunks chunks;
    private final TagTable tags;
    private final long trustedAfter;
    private final LongAdder count = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAccumulator damagedTo = new LongAccumulator(Math::max, 0);
    private final Set<Long> lost = ConcurrentHashMap.newKeySet();

    RestoringTarget(long zone, LocalChunks chunks, TagTable tags, long trustedAfter) {
        this.zone = zone;
        this.chunks = chunks;
        this.tags = tags;
        this.trustedAfter = trustedAfter;
    }

    @Override
    public void put(int index, long position, long address, int length) {
        long id = ChunkId.ofZone(zone, index);
        if (position <= trustedAfter) {
            lost.add(id);
            return;
        }
        chunks.restore(id, address, length);
        count.increment();
        bytes.add(length);
    }

    @Override
    public void created(int first, int number, int each, long position) {
        create(first, new Sizes.Uniform(number, each), position);
    }

    @Override
    public void createdListed(int first, int number, long sizesAddress, long position) {
        create(first, new Sizes.InMemory(sizesAddress, number), position);
    }

    private void create(int first, Sizes sizes, long position) {
        long id = ChunkId.ofZone(zone, first);
        if (position <= trustedAfter) {
            for (int i = 0; i < sizes.count(); i++) {
                lost.add(id + i);
            }
            return;
        }
        chunks.restoreRange(id, sizes);
        count.add(sizes.count());
        bytes.add(sizes.totals().payloadBytes());
    }

    @Override
    public void executed(int client, long sequence, int first, int number, long position) {
        tags.executed(
                client,
                sequence,
                new Executed(Math.max(1, position), ChunkId.ofZone(zone, first), number));
    }

    @Override
    public void damaged(long first, long last) {
        damagedTo.accumulate(Math.max(1, last));
    }

    @Override
    public void damagedChunk(int index, long position) {
        damagedTo.accumulate(Math.max(1, position));
        if (trustedAfter > 0) {
            lost.add(ChunkId.ofZone(zone, index));
        }
    }

    /**
     * A change that the log has told behind all that came before; one after the other. What it adds
     * is not counted.
     *
     * @param change any that a stream has
     * @param position of it
     */
    void change(EntryCursor change, long position) {
        int first = change.index();
        long id = ChunkId.ofZone(zone, first);
        switch (change.kind()) {
            case EntryLayout.PUT -> chunks.restore(id, change.body(), change.size(0));
            case EntryLayout.CREATE_UNIFORM ->
                    chunks.restoreRange(id, new Sizes.Uniform(change.count(), change.size(0)));
            case EntryLayout.CREATE_LISTED ->
                    chunks.restoreRange(id, new Sizes.InMemory(change.body(), change.count()));
            case EntryLayout.REMOVE -> chunks.restoreRemoval(id, change.count());
            default -> {
                // EntryLayout.SKIP: it was overtaken
            }
        }
        if (change.client() != EntryLayout.NO_CLIENT) {
            executed(change.client(), change.sequence(), first, change.count(), position);
        }
    }

    /** The last position that may be missing; 0 if the log was whole. */
    long damagedTo() {
        return damagedTo.get();
    }

    /** Whether it comes from a log of which chunks are lost. */
    boolean isDamaged() {
        return trustedAfter > 0;
    }

    long count() {
        return count.sum();
    }

    long bytes() {
        return bytes.sum();
    }

    Set<Long> lost() {
        return lost;
    }
}
