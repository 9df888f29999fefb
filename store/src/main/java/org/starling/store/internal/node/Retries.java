package org.starling.store.internal.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.IndeterminateException;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.OwnerLostException;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.UnservedException;
import org.starling.store.internal.replica.ZoneMovedException;

/**
 * What operations on replicated chunks do when their owner is lost, has changed, or has too few
 * backups for the moment: they find the owner again and try again, with the same tag, until the
 * request time-out. Immutable; any thread.
 */
final class Retries {
    /** From one attempt to the next at first: a zone that is handed over is away for moments. */
    private static final Executor SOON = after(4);

    /** For so long. */
    private static final long SOON_NANOS = Duration.ofMillis(100).toNanos();

    /** From one of the others to the next: a lost owner's zone takes a second. */
    private static final Executor LATER = after(20);

    /**
     * Owners wait for backups for so many hundredths of the time-out, so that whoever asks hears of
     * it, twice.
     */
    private static final int OWNERS_PERCENT = 45;

    private final long timeoutNanos;
    private final LongSupplier nanoClock;

    Retries(Duration timeout, LongSupplier nanoClock) {
        timeoutNanos = timeout.toNanos();
        this.nanoClock = nanoClock;
    }

    /** The same with another time-out. */
    Retries within(Duration timeout) {
        return new Retries(timeout, nanoClock);
    }

    /** When an operation that begins now gives up. */
    long deadlineNanos() {
        return nanoClock.getAsLong() + timeoutNanos;
    }

    /** How long an owner waits for backups, of the time that others wait for the owner. */
    static Duration ownerPatience(Duration timeout) {
        return timeout.multipliedBy(OWNERS_PERCENT).dividedBy(100);
    }

    boolean isOver(long deadlineNanos) {
        return nanoClock.getAsLong() - deadlineNanos >= 0;
    }

    /** Whether no other attempt is worth while: it could not wait for backups as long as this. */
    boolean isOver(long deadlineNanos, @Nullable Throwable failure) {
        long needed =
                failure instanceof UnderReplicatedException
                        ? timeoutNanos * OWNERS_PERCENT / 100
                        : 0;
        return nanoClock.getAsLong() + needed - deadlineNanos >= 0;
    }

    /**
     * An attempt as far as its operation waits for it.
     *
     * @param id the chunk, or one of them
     * @param isWrite whether it may take effect after that
     * @param story says what was asked and answered until then, or nothing; any thread
     * @return fails when the time is over
     */
    <T> CompletableFuture<T> until(
            long deadlineNanos,
            long id,
            boolean isWrite,
            CompletableFuture<T> attempt,
            Supplier<String> story) {
        if (attempt.isDone()) {
            return attempt;
        }
        long left = leftNanos(deadlineNanos);
        return attempt.copy()
                .orTimeout(left, TimeUnit.NANOSECONDS)
                .exceptionallyCompose(failure ->
                        CompletableFuture.failedFuture(
                                failure instanceof TimeoutException
                                        ? late(id, isWrite, story.get(), failure)
                                        : failure));
    }

    /** What the caller gets of an operation whose time was over before its turn came. */
    static StoreException neverBegun(long id) {
        return new StoreException(
                "too many writes of the zone of chunk "
                        + ChunkId.toString(id)
                        + " are under way; nothing was changed, try again later");
    }

    /** Why an attempt is not made any more; another one would not be either. */
    static UnreachableException tooLate(long id) {
        return new UnreachableException(
                "the time was over before the owner of chunk "
                        + ChunkId.toString(id)
                        + " could be asked",
                null);
    }

    /** What is left of the time, in nanoseconds. */
    long leftNanos(long deadlineNanos) {
        return Math.max(0, deadlineNanos - nanoClock.getAsLong());
    }

    private static StoreException late(long id, boolean isWrite, String story, Throwable failure) {
        String text = "nobody has answered in time for chunk " + ChunkId.toString(id) + story;
        return isWrite
                ? new IndeterminateException(text + "; the write may have taken effect", failure)
                : new UnreachableException(text, failure);
    }

    /**
     * Goes on after a pause: a short one at first.
     *
     * @param deadlineNanos of the operation
     */
    Executor later(long deadlineNanos) {
        return timeoutNanos - leftNanos(deadlineNanos) < SOON_NANOS ? SOON : LATER;
    }

    private static Executor after(long pauseMillis) {
        return CompletableFuture.delayedExecutor(pauseMillis, TimeUnit.MILLISECONDS, Asker.THREADS);
    }

    /** Whether an attempt may succeed when it is made again. */
    static boolean isWorthwhile(Throwable failure) {
        return failure instanceof MovedException
                || failure instanceof ZoneMovedException
                || failure instanceof UnreachableException
                || failure instanceof OwnerLostException
                || failure instanceof UnderReplicatedException
                || failure instanceof IndeterminateException;
    }

    /** Whether the chunk may have another owner now than the one that was asked. */
    static boolean isOwnersFault(Throwable failure) {
        return !(failure instanceof UnderReplicatedException);
    }

    /**
     * What the caller gets of a failure that is not tried again. An owner knows earlier attempts by
     * their tag, so what it says of the chunk itself holds for them, too; whoever else fails leaves
     * open what has become of them.
     *
     * @param id the chunk
     * @param failure why the last attempt failed
     * @param isUncertain whether an earlier attempt may have taken effect
     */
    static StoreException ended(long id, Throwable failure, boolean isUncertain) {
        boolean isConclusive =
                failure instanceof ChunkNotFoundException
                        || failure instanceof ChunkPinnedException
                        || failure instanceof OutOfChunkMemoryException;
        if (isUncertain && !isConclusive) {
            return uncertain(id, failure);
        }
        return failure instanceof StoreException e
                ? e
                : new StoreException(String.valueOf(failure.getMessage()), failure);
    }

    /**
     * What the caller gets when the directory knows no zone of the chunk: an earlier attempt may
     * have removed the last chunk of a zone that has been dropped since.
     *
     * @param id the chunk
     * @param isUncertain whether an earlier attempt may have taken effect
     */
    static StoreException absent(long id, ChunkNotFoundException failure, boolean isUncertain) {
        return isUncertain ? uncertain(id, failure) : failure;
    }

    private static IndeterminateException uncertain(long id, Throwable last) {
        return last instanceof IndeterminateException e
                ? e
                : new IndeterminateException(
                        "a write of chunk "
                                + ChunkId.toString(id)
                                + " was not acknowledged and may have taken effect: "
                                + last.getMessage(),
                        last);
    }

    /**
     * What the caller gets when the time is over.
     *
     * @param id the chunk
     * @param last why the last attempt failed
     * @param isUncertain whether an earlier attempt may have taken effect
     * @param excuse what else is waited for, or nothing
     */
    static StoreException givenUp(long id, Throwable last, boolean isUncertain, String excuse) {
        if (isUncertain) {
            return uncertain(id, last);
        }
        if (last instanceof UnderReplicatedException e) {
            return e;
        }
        return new UnservedException(
                "nobody serves chunk "
                        + ChunkId.toString(id)
                        + " at the moment, as far as the directory knows: "
                        + last.getMessage()
                        + excuse,
                last);
    }
}
