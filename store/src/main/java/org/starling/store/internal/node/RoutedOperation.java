package org.starling.store.internal.node;

import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.IndeterminateException;

/**
 * One operation on one replicated chunk, made at its owner, whoever that is: if the owner turns out
 * to be another or does not answer, it is looked up and asked again until the time is over. Belongs
 * to one call; its attempts come one after the other.
 *
 * @param <T> its result
 */
final class RoutedOperation<T> {
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

    /** So far; written before anybody can ask for the story. */
    private int attempts;

    /** Nanoseconds that were left when the last attempt began; likewise. */
    private long leftNanos;

    /** Whom the last attempt asks; nobody while the directory is asked who that is. */
    private volatile int asked = NodeMessage.NOBODY;

    /** What came of the attempt before; null if there was none. Likewise. */
    private @Nullable Throwable before;

    /**
     * Of one read.
     *
     * @param operation asks an owner; its repetition does no harm
     */
    RoutedOperation(
            long id,
            Locations locations,
            Retries retries,
            IntFunction<CompletableFuture<T>> operation) {
        this(id, locations, retries, retries.deadlineNanos(), true, false, operation);
    }

    private RoutedOperation(
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
    static <T> RoutedOperation<T> ofWrite(
            long id,
            Locations locations,
            Retries retries,
            long deadlineNanos,
            boolean hasWaited,
            IntFunction<CompletableFuture<T>> operation) {
        return new RoutedOperation<>(
                id, locations, retries, deadlineNanos, !hasWaited, true, operation);
    }

    CompletableFuture<T> run() {
        attempts++;
        leftNanos = retries.leftNanos(deadlineNanos);
        asked = NodeMessage.NOBODY;
        CompletableFuture<Integer> owner = locations.ownerOf(id);
        boolean isInTime = isFresh && owner.isDone();
        isFresh = false;
        // Behind an answer of the directory this is a receiving thread, which may not wait; a write
        // of an owner waits for backups.
        CompletableFuture<T> attempt =
                isInTime
                        ? RemoteChunks.then(owner, this::ask)
                        : owner.thenComposeAsync(this::askInTime, Asker.THREADS);
        if (attempt.isDone() && !attempt.isCompletedExceptionally()) {
            return attempt;
        }
        // An attempt has its own time-outs; those of one that begins late end too late.
        CompletableFuture<T> bounded =
                isInTime
                        ? attempt
                        : retries.until(deadlineNanos, id, isWrite, attempt, this::story);
        return bounded.exceptionallyCompose(failure -> {
            Throwable cause = RemoteChunks.unwrapped(failure);
            return owner.isCompletedExceptionally() && cause instanceof ChunkNotFoundException e
                    ? CompletableFuture.failedFuture(Retries.absent(id, e, isUncertain))
                    : again(cause);
        });
    }

    /** The caller may have been told already, and may have written something else since. */
    private CompletableFuture<T> askInTime(int owner) {
        return retries.isOver(deadlineNanos)
                ? CompletableFuture.failedFuture(Retries.tooLate(id))
                : ask(owner);
    }

    private CompletableFuture<T> ask(int owner) {
        asked = owner;
        return operation.apply(owner);
    }

    /** For who wants to know why nobody has answered in time. */
    private String story() {
        Throwable last = before;
        return "; attempt %d, of which nothing was heard for %d ms, was %s%s"
                .formatted(
                        attempts,
                        leftNanos / 1_000_000,
                        asked == NodeMessage.NOBODY
                                ? "to ask the directory for the owner"
                                : "at node " + asked,
                        last == null ? "" : "; the one before came to: " + last.getMessage());
    }

    private CompletableFuture<T> again(Throwable failure) {
        before = failure;
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
                .thenComposeAsync(RoutedOperation::run, retries.later(deadlineNanos));
    }
}
