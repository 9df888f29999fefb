package org.starling.store.internal.node;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Chunks;
import org.starling.store.DataLostException;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;

/** A batched get. Values are written by the thread that has them and read after all have come. */
final class GetBatch extends Batch {
    private final LocalChunks local;
    private final OwnedChunks owned;
    private final RemoteChunks remote;
    private final byte[] @Nullable [] values;

    GetBatch(
            long[] ids,
            Locations locations,
            Retries retries,
            LocalChunks local,
            OwnedChunks owned,
            RemoteChunks remote) {
        super(ids, locations, retries, false);
        this.local = local;
        this.owned = owned;
        this.remote = remote;
        values = new byte[ids.length][];
    }

    CompletableFuture<Chunks> chunks() {
        return run().thenApply(done -> new Chunks(ids, values));
    }

    @Override
    CompletableFuture<Void> here(int index) {
        return owned.read(ids[index], () -> local.getOrNull(ids[index]))
                .thenAccept(value -> {
                    values[index] = value;
                });
    }

    @Override
    void absent(int index, ChunkNotFoundException failure) {
        values[index] = null;
    }

    @Override
    int sliceEnd(IntArrayList indexes, int from) {
        return Math.min(indexes.size(), from + ChunkMessage.MAX_IDS);
    }

    @Override
    CompletableFuture<IntArrayList> send(int owner, IntArrayList indexes) {
        IntArrayList moved = new IntArrayList();
        return send(owner, indexes, moved)
                .thenApply(done -> moved)
                .exceptionally(failure -> failAll(indexes, failure));
    }

    private CompletableFuture<Void> send(int owner, IntArrayList indexes, IntArrayList moved) {
        long[] asked = new long[indexes.size()];
        for (int i = 0; i < asked.length; i++) {
            asked[i] = ids[indexes.getInt(i)];
        }
        return remote.read(owner, asked[0], new ChunkMessage.Get(asked))
                .thenCompose(answer -> {
                    int answered = answer.states().length;
                    if (answered < 1 || answered > asked.length) {
                        throw new StoreException(
                                "node "
                                        + owner
                                        + " answered "
                                        + answered
                                        + " of "
                                        + asked.length
                                        + " ids");
                    }
                    for (int i = 0; i < answered; i++) {
                        take(
                                indexes.getInt(i),
                                answer.states()[i],
                                answer.values()[i],
                                owner,
                                moved);
                    }
                    return answered == asked.length
                            ? CompletableFuture.completedFuture(null)
                            : send(
                                    owner,
                                    new IntArrayList(indexes.subList(answered, asked.length)),
                                    moved);
                });
    }

    private void take(
            int index, byte state, byte @Nullable [] value, int owner, IntArrayList moved) {
        switch (state) {
            case ChunkMessage.PRESENT -> values[index] = value;
            case ChunkMessage.ABSENT -> values[index] = null;
            case ChunkMessage.ELSEWHERE -> {
                tryAgain(index, new MovedException(ids[index], owner));
                moved.add(index);
            }
            case ChunkMessage.LOST -> fail(index, new DataLostException(ids[index]));
            default -> fail(index, OwnerCalls.tooLong(ids[index], ChunkService.MAX_REMOTE_BYTES));
        }
    }
}
