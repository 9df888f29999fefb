package org.starling.store.internal.node;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.starling.net.Request;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.node.ChunkMessage.Failure;
import org.starling.store.internal.node.ChunkMessage.Outcomes;
import org.starling.store.internal.replica.Executed;

/**
 * A batched put or remove. Volatile chunks go in one round; replicated ones zone by zone in parts
 * that are numbered together ({@link ZoneTags}), each with rounds of its own.
 */
abstract sealed class WriteBatch extends Batch {
    /** What a write batch needs of its node. */
    record WriteContext(
            Locations locations,
            Retries retries,
            ZoneTags tags,
            LocalChunks local,
            OwnedChunks owned,
            RemoteChunks remote) {}

    final WriteContext context;
    final Durability durability;

    /** By index: the number of a replicated write; 0 before it has one. */
    private final long[] sequences;

    private WriteBatch(long[] ids, WriteContext context, Durability durability) {
        super(ids, context.locations, context.retries, true);
        this.context = context;
        this.durability = durability;
        sequences = new long[ids.length];
    }

    /**
     * The request for some of the ids.
     *
     * @param sequence the least number of them
     * @param offsets what to add to it; empty for volatile ids
     */
    abstract Request<Outcomes> request(
            long sequence, long[] part, int[] offsets, IntArrayList indexes);

    @Override
    final CompletableFuture<Void> run() {
        IntArrayList volatileOnes = new IntArrayList();
        Map<Long, IntArrayList> byZone = new LinkedHashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (ChunkId.isReplicated(ids[i])) {
                byZone.computeIfAbsent(ChunkId.zone(ids[i]), zone -> new IntArrayList()).add(i);
            } else {
                volatileOnes.add(i);
            }
        }
        List<CompletableFuture<Void>> parts = new ArrayList<>();
        if (!volatileOnes.isEmpty()) {
            parts.add(round(volatileOnes, 1));
        }
        byZone.forEach((zone, indexes) -> {
            for (int from = 0; from < indexes.size(); from += ZoneTags.MAX_TAKEN) {
                int end = Math.min(indexes.size(), from + ZoneTags.MAX_TAKEN);
                parts.add(numbered(zone, new IntArrayList(indexes.subList(from, end))));
            }
        });
        return CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
                .thenRun(this::end);
    }

    private CompletableFuture<Void> numbered(long zone, IntArrayList indexes) {
        CompletableFuture<ZoneTags.Span> begun = context.tags.begin(zone, indexes.size());
        boolean hasWaited = !begun.isDone();
        return begun.thenCompose(span -> {
            if (hasWaited && isOver()) {
                context.tags.end(zone, span);
                indexes.forEach(index -> fail(index, Retries.neverBegun(ids[index])));
                return CompletableFuture.completedFuture(null);
            }
            for (int i = 0; i < indexes.size(); i++) {
                sequences[indexes.getInt(i)] = span.first() + i;
            }
            return round(indexes, hasWaited ? 2 : 1)
                    .whenComplete((done, failure) -> context.tags.end(zone, span));
        });
    }

    final WriteTag tag(int index) {
        return new WriteTag(context.local.nodeId(), sequences[index]);
    }

    @Override
    CompletableFuture<IntArrayList> send(int owner, IntArrayList indexes) {
        long[] part = new long[indexes.size()];
        boolean isReplicated = ChunkId.isReplicated(ids[indexes.getInt(0)]);
        int[] offsets = new int[isReplicated ? part.length : 0];
        long sequence = isReplicated ? Long.MAX_VALUE : ChunkMessage.UNTAGGED;
        for (int i = 0; i < part.length; i++) {
            part[i] = ids[indexes.getInt(i)];
            sequence = Math.min(sequence, sequences[indexes.getInt(i)]);
        }
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = (int) (sequences[indexes.getInt(i)] - sequence);
        }
        return context.remote
                .write(owner, part[0], request(sequence, part, offsets, indexes))
                .thenApply(outcomes -> take(outcomes, indexes, owner))
                .exceptionally(failure -> failAll(indexes, failure));
    }

    private IntArrayList take(Outcomes outcomes, IntArrayList indexes, int owner) {
        IntArrayList again = new IntArrayList();
        for (Failure failure : outcomes.failures()) {
            if (failure.index() < 0 || failure.index() >= indexes.size()) {
                throw new IndeterminateException(
                        "an owner answered for index " + failure.index() + " of " + indexes.size(),
                        null);
            }
            int index = indexes.getInt(failure.index());
            StoreException reason =
                    failure.outcome().toException(ids[index], owner, failure.text());
            if (!failedOne(index, reason)) {
                again.add(index);
            }
        }
        return again;
    }

    /** A batched put. */
    static final class Put extends WriteBatch {
        private final byte[][] values;

        Put(long[] ids, byte[][] values, WriteContext context, Durability durability) {
            super(ids, context, durability);
            if (ids.length != values.length) {
                throw new IllegalArgumentException(
                        ids.length + " ids, but " + values.length + " values");
            }
            this.values = values;
        }

        @Override
        CompletableFuture<Executed> here(int index) {
            return context.owned.put(ids[index], values[index], durability, tag(index));
        }

        @Override
        int sliceEnd(IntArrayList indexes, int from) {
            int end = from;
            long bytes = 0;
            while (end < indexes.size() && end - from < ChunkMessage.MAX_IDS) {
                bytes += values[indexes.getInt(end)].length;
                if (bytes > ChunkMessage.BATCH_BYTES && end > from) {
                    break;
                }
                end++;
            }
            return end;
        }

        @Override
        CompletableFuture<IntArrayList> send(int owner, IntArrayList indexes) {
            int index = indexes.getInt(0);
            if (values[index].length > ChunkService.MAX_REMOTE_BYTES) {
                fail(index, OwnerCalls.tooLong(ids[index], values[index].length));
                return CompletableFuture.completedFuture(new IntArrayList());
            }
            return super.send(owner, indexes);
        }

        @Override
        Request<Outcomes> request(long sequence, long[] part, int[] offsets, IntArrayList indexes) {
            byte[][] chosen = new byte[part.length][];
            for (int i = 0; i < part.length; i++) {
                chosen[i] = values[indexes.getInt(i)];
            }
            return new ChunkMessage.Put(durability, sequence, part, offsets, chosen);
        }
    }

    /** A batched remove. */
    static final class Remove extends WriteBatch {
        Remove(long[] ids, WriteContext context, Durability durability) {
            super(ids, context, durability);
        }

        @Override
        CompletableFuture<Executed> here(int index) {
            return context.owned.remove(ids[index], durability, tag(index));
        }

        @Override
        int sliceEnd(IntArrayList indexes, int from) {
            return Math.min(indexes.size(), from + ChunkMessage.MAX_IDS);
        }

        @Override
        Request<Outcomes> request(long sequence, long[] part, int[] offsets, IntArrayList indexes) {
            return new ChunkMessage.Remove(durability, sequence, part, offsets);
        }
    }
}
