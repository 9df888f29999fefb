package org.starling.store.internal.node;

import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.starling.store.BatchException;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.StoreException;

/**
 * One batched operation on its way: groups its ids by owner, sends one request per owner (more past
 * the bounds of {@link ChunkMessage}), and starts another round for ids that turn out to have
 * moved. Belongs to one call; the answers come in on receiving threads. Failures are guarded by
 * this object.
 */
abstract class Batch {
    /** Rounds for ids that have moved. */
    static final int MAX_ROUNDS = 4;

    final long[] ids;
    private final Locations locations;
    private final Map<Integer, StoreException> failures = new HashMap<>();

    Batch(long[] ids, Locations locations) {
        this.ids = ids;
        this.locations = locations;
    }

    /** Carries out the operation on one local chunk. */
    abstract void local(int index);

    /** How many of the indexes, from one on, fit in one request; at least 1. */
    abstract int sliceEnd(IntArrayList indexes, int from);

    /**
     * Sends one request; completes, never exceptionally, with the indexes whose chunks the owner
     * does not own.
     */
    abstract CompletableFuture<IntArrayList> send(int owner, IntArrayList indexes);

    /**
     * Runs the batch; completes exceptionally with {@link BatchException} if an operation failed.
     */
    final CompletableFuture<Void> run() {
        IntArrayList all = new IntArrayList(ids.length);
        for (int i = 0; i < ids.length; i++) {
            all.add(i);
        }
        return round(all, 1).thenRun(this::throwFailures);
    }

    final synchronized void fail(int index, StoreException failure) {
        failures.put(index, failure);
    }

    final void failAll(IntArrayList indexes, Throwable failure) {
        Throwable cause = RemoteChunks.unwrapped(failure);
        StoreException reason =
                cause instanceof StoreException e
                        ? e
                        : new StoreException(String.valueOf(cause.getMessage()), cause);
        for (int i = 0; i < indexes.size(); i++) {
            fail(indexes.getInt(i), reason);
        }
    }

    private CompletableFuture<Void> round(IntArrayList indexes, int number) {
        Int2ObjectMap<IntArrayList> byOwner = new Int2ObjectOpenHashMap<>();
        for (int i = 0; i < indexes.size(); i++) {
            int index = indexes.getInt(i);
            if (locations.isOwned(ids[index])) {
                runLocal(index);
            } else {
                byOwner.computeIfAbsent(locations.ownerOf(ids[index]), owner -> new IntArrayList())
                        .add(index);
            }
        }
        List<CompletableFuture<IntArrayList>> sent = new ArrayList<>();
        byOwner.int2ObjectEntrySet()
                .forEach(group -> {
                    IntArrayList all = group.getValue();
                    int from = 0;
                    while (from < all.size()) {
                        int end = sliceEnd(all, from);
                        sent.add(send(group.getIntKey(), new IntArrayList(all.subList(from, end))));
                        from = end;
                    }
                });
        return CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0]))
                .thenCompose(done -> again(sent, number));
    }

    private CompletableFuture<Void> again(List<CompletableFuture<IntArrayList>> sent, int number) {
        IntArrayList moved = new IntArrayList();
        sent.forEach(answer -> moved.addAll(answer.join()));
        if (moved.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        for (int i = 0; i < moved.size(); i++) {
            locations.forget(ids[moved.getInt(i)]);
        }
        if (number == MAX_ROUNDS) {
            moved.forEach(index -> fail(index, new ChunkNotFoundException(ids[index])));
            return CompletableFuture.completedFuture(null);
        }
        // Asking the directory waits, which this thread, a receiving one, must not.
        return CompletableFuture.completedFuture(number + 1)
                .thenComposeAsync(next -> round(moved, next));
    }

    private void runLocal(int index) {
        try {
            local(index);
        } catch (StoreException e) {
            fail(index, e);
        }
    }

    private synchronized void throwFailures() {
        if (!failures.isEmpty()) {
            throw new BatchException(ids.length, failures);
        }
    }
}
