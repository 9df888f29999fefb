package org.starling.store.internal.node;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A batch of one write of a chunk that another node owns. */
final class OneWrite extends Batch {
    private final Supplier<CompletableFuture<Void>> attempt;

    /**
     * A batch that has not begun.
     *
     * @param attempt sends it once
     */
    OneWrite(
            long chunk,
            Locations locations,
            Retries retries,
            Supplier<CompletableFuture<Void>> attempt) {
        super(new long[] {chunk}, locations, retries, true);
        this.attempt = attempt;
    }

    @Override
    CompletableFuture<Void> here(int index) {
        throw new AssertionError("not here");
    }

    @Override
    int sliceEnd(IntArrayList indexes, int from) {
        return indexes.size();
    }

    @Override
    CompletableFuture<IntArrayList> send(int owner, IntArrayList indexes) {
        return attempt.get()
                .thenApply(done -> new IntArrayList())
                .exceptionally(failure -> failAll(indexes, failure));
    }
}
