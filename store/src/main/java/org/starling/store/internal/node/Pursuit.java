package org.starling.store.internal.node;

import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.IndeterminateException;

/**
 * One operation on one replicated chunk, made at its owner, whoever that is: if the owner turns out
 * to be another or does not answer, it is looked up and asked again until the time is over. Belongs
 * to one call; its attempts come one after the other.
 *
 * @param <T> its result
 */
final class Pursuit<T> {
    private final long id;
    private final Locations locations;
    private final Retries retries;
    private final IntFunction<CompletableFuture<T>> operation;
    private final long deadlineNanos;
    private final boolean isWrite;

    /** No attempt has been made, and nothing was waited for. */
    private boolean isFresh;

    /** Handed from attempt to attempt. */
    private boolean isUncertain;

    /**
     * Of one read.
     *
     * @param operation asks an owner; its repetition does no harm
     */
    Pursuit(
            long id,
            Locations locations,
            Retries retries,
            IntFunction<CompletableFuture<T>> operation) {
        this(id, locations, retries, retries.deadlineNanos(), true, false, operation);
    }

    private Pursuit(
            long id,
            Locations locations,
            Retries retries,
            long deadlineNanos,
            boolean isFresh,
            boolean isWrite,
            IntFunction<CompletableFuture<T>> operation) {
        this.id = id;
        this.locations = locations;
        this.retries = retries;
        this.deadlineNanos = deadlineNanos;
        this.isFresh = isFresh;
        this.isWrite = isWrite;
        this.operation = operation;
    }

    /**
     * Of one write.
     *
     * @param hasWaited whether it has been waiting for its number
     */
    static <T> Pursuit<T> ofWrite(
            long id,
            Locations locations,
            Retries retries,
            long deadlineNanos,
            boolean hasWaited,
            IntFunction<CompletableFuture<T>> operation) {
        return new Pursuit<>(id, locations, retries, deadlineNanos, !hasWaited, true, operation);
    }

    CompletableFuture<T> run() {
        CompletableFuture<Integer> owner = locations.ownerOf(id);
        boolean isInTime = isFresh && owner.isDone();
        isFresh = false;
        // Behind an answer of the directory this is a receiving thread, which may not wait; a write
        // of an owner waits for backups.
        CompletableFuture<T> attempt =
                owner.isDone()
                        ? RemoteChunks.then(owner, operation::apply)
                        : owner.thenComposeAsync(operation::apply, Asker.THREADS);
        if (attempt.isDone() && !attempt.isCompletedExceptionally()) {
            return attempt;
        }
        // An attempt has its own time-outs; those of one that begins late end too late.
        CompletableFuture<T> bounded =
                isInTime ? attempt : retries.until(deadlineNanos, id, isWrite, attempt);
        return bounded.exceptionallyCompose(failure -> {
            Throwable cause = RemoteChunks.unwrapped(failure);
            return owner.isCompletedExceptionally() && cause instanceof ChunkNotFoundException e
                    ? CompletableFuture.failedFuture(Retries.absent(id, e, isUncertain))
                    : again(cause);
        });
    }

    private CompletableFuture<T> again(Throwable failure) {
        if (!Retries.isWorthwhile(failure)) {
            return CompletableFuture.failedFuture(
                    isUncertain ? Retries.ended(id, failure, true) : failure);
        }
        isUncertain |= failure instanceof IndeterminateException;
        if (Retries.isOwnersFault(failure)) {
            locations.forget(id);
        }
        if (retries.isOver(deadlineNanos, failure)) {
            String excuse = locations.excuse(id);
            return CompletableFuture.failedFuture(
                    Retries.givenUp(id, failure, isUncertain, excuse));
        }
        return CompletableFuture.completedFuture(this)
                .thenComposeAsync(Pursuit::run, retries.later());
    }
}
