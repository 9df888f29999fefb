package org.starling.store.internal.node;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.concurrent.CompletableFuture;
import org.starling.net.Request;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.node.ChunkMessage.Failure;
import org.starling.store.internal.node.ChunkMessage.Outcomes;

/** A batched put or remove. */
abstract sealed class WriteBatch extends Batch {
    final LocalChunks local;
    final Durability durability;
    private final RemoteChunks remote;

    private WriteBatch(
            long[] ids,
            Locations locations,
            LocalChunks local,
            RemoteChunks remote,
            Durability durability) {
        super(ids, locations);
        this.local = local;
        this.remote = remote;
        this.durability = durability;
    }

    /** The request for some of the ids. */
    abstract Request<Outcomes> request(long[] part, IntArrayList indexes);

    @Override
    CompletableFuture<IntArrayList> send(int owner, IntArrayList indexes) {
        long[] part = new long[indexes.size()];
        for (int i = 0; i < part.length; i++) {
            part[i] = ids[indexes.getInt(i)];
        }
        return remote.write(owner, part[0], request(part, indexes))
                .thenApply(outcomes -> take(outcomes, indexes))
                .exceptionally(failure -> {
                    failAll(indexes, failure);
                    return new IntArrayList();
                });
    }

    private IntArrayList take(Outcomes outcomes, IntArrayList indexes) {
        IntArrayList moved = new IntArrayList();
        for (Failure failure : outcomes.failures()) {
            if (failure.index() < 0 || failure.index() >= indexes.size()) {
                throw new StoreException(
                        "an owner answered for index " + failure.index() + " of " + indexes.size());
            }
            int index = indexes.getInt(failure.index());
            if (failure.outcome() == Outcome.NOT_OWNER) {
                moved.add(index);
            } else {
                fail(index, failure.outcome().toException(ids[index], failure.text(), durability));
            }
        }
        return moved;
    }

    /** A batched put. */
    static final class Put extends WriteBatch {
        private final byte[][] values;

        Put(
                long[] ids,
                byte[][] values,
                Locations locations,
                LocalChunks local,
                RemoteChunks remote,
                Durability durability) {
            super(ids, locations, local, remote, durability);
            if (ids.length != values.length) {
                throw new IllegalArgumentException(
                        ids.length + " ids, but " + values.length + " values");
            }
            this.values = values;
        }

        @Override
        void local(int index) {
            local.put(ids[index], values[index]);
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
                fail(index, RoutedChunks.tooLong(ids[index], values[index].length));
                return CompletableFuture.completedFuture(new IntArrayList());
            }
            return super.send(owner, indexes);
        }

        @Override
        Request<Outcomes> request(long[] part, IntArrayList indexes) {
            byte[][] chosen = new byte[part.length][];
            for (int i = 0; i < part.length; i++) {
                chosen[i] = values[indexes.getInt(i)];
            }
            return new ChunkMessage.Put(durability, part, chosen);
        }
    }

    /** A batched remove. */
    static final class Remove extends WriteBatch {
        Remove(
                long[] ids,
                Locations locations,
                LocalChunks local,
                RemoteChunks remote,
                Durability durability) {
            super(ids, locations, local, remote, durability);
        }

        @Override
        void local(int index) {
            local.remove(ids[index]);
        }

        @Override
        int sliceEnd(IntArrayList indexes, int from) {
            return Math.min(indexes.size(), from + ChunkMessage.MAX_IDS);
        }

        @Override
        Request<Outcomes> request(long[] part, IntArrayList indexes) {
            return new ChunkMessage.Remove(durability, part);
        }
    }
}
