package org.starling.store.internal.replica;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.starling.store.ChunkId;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * Chooses the zone of fresh chunks, and opens the next one before the present one is full. Owned by
 * {@link OwnedZones}; any thread; fields are guarded by itself, and nothing is waited for inside.
 */
final class ZoneChooser {
    /** What a zone is opened by: makes it usable on this node. */
    @FunctionalInterface
    interface Opening {
        void open(ZoneInfo info);
    }

    /** A zone that is so full makes the next one be opened. */
    private static final double AHEAD = 0.75;

    private static final long NONE = -1;

    private final int self;
    private final LocalChunks chunks;
    private final ZoneDirectory directory;
    private final ReplicaConfig config;
    private final Opening opening;

    private int nextNumber;
    private long current = NONE;
    private @Nullable CompletableFuture<Long> next;

    /** The zone that {@link #next} is of, was of, or will be of once more after a failure. */
    private long upcoming = NONE;

    ZoneChooser(
            int self,
            LocalChunks chunks,
            ZoneDirectory directory,
            ReplicaConfig config,
            Opening opening) {
        this.self = self;
        this.chunks = chunks;
        this.directory = directory;
        this.config = config;
        this.opening = opening;
    }

    /** Zones with smaller numbers are those of earlier bearers of this node's id. */
    synchronized void startAt(int firstNumber) {
        nextNumber = firstNumber;
    }

    /**
     * The zone for chunks that are created together.
     *
     * @param bytes of their payloads
     * @param isGood whether a zone of this node may take fresh chunks
     * @return zone id
     */
    long choose(long bytes, LongPredicate isGood) {
        long present = current();
        if (fits(present, bytes) && isGood.test(present)) {
            if (chunks.zoneBytes(present) + bytes > AHEAD * config.zoneBytes()) {
                CompletableFuture<?> _ = opened(); // ahead of time: nobody waits
            }
            return present;
        }
        long fresh = await(opened(), config.requestTimeout());
        synchronized (this) {
            if (current == present || current == NONE) {
                current = fresh;
                next = null;
            }
            return current;
        }
    }

    /** Whether fresh chunks may still be sent to a zone: to the present one and the next. */
    synchronized boolean mayChoose(long zone) {
        return zone == current || zone == upcoming;
    }

    /** Sends no more fresh chunks to the present zone; false if this zone is to be the next one. */
    synchronized boolean leave(long zone) {
        if (zone == current) {
            current = NONE;
            upcoming = upcoming == zone ? NONE : upcoming;
        }
        return !mayChoose(zone);
    }

    private synchronized long current() {
        return current;
    }

    private boolean fits(long zone, long bytes) {
        if (zone == NONE || !chunks.hasZone(zone)) {
            return false;
        }
        long held = chunks.zoneBytes(zone);
        return held == 0 || held + bytes <= config.zoneBytes();
    }

    /** The zone after the present one; its opening begins now if it has not yet. */
    private CompletableFuture<Long> opened() {
        long zone;
        CompletableFuture<Long> promise;
        synchronized (this) {
            if (next != null && !next.isCompletedExceptionally()) {
                return next;
            }
            zone = ChunkId.zoneOf(self, nextNumber);
            promise = new CompletableFuture<>();
            next = promise;
            upcoming = zone;
        }
        CompletableFuture<?> _ =
                directory
                        .apply(new Command.OpenZone(zone, self, config.backups()))
                        .whenComplete((result, failure) -> {
                            try {
                                opened(zone, result, failure);
                                promise.complete(zone);
                            } catch (RuntimeException e) {
                                promise.completeExceptionally(e);
                            }
                        });
        return promise;
    }

    private void opened(long zone, @Nullable Result result, @Nullable Throwable failure) {
        if (!(result instanceof Result.Zone now)) {
            String reason =
                    result instanceof Result.Refused refused
                            ? refused.reason()
                            : "the directory did not answer";
            throw new StoreException("cannot open a zone for fresh chunks: " + reason, failure);
        }
        opening.open(now.info());
        synchronized (this) {
            nextNumber = ChunkId.zoneOf(self, nextNumber) == zone ? nextNumber + 1 : nextNumber;
        }
    }

    private static long await(CompletableFuture<Long> zone, Duration patience) {
        try {
            return zone.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while a zone is opened", e);
        } catch (ExecutionException e) {
            throw new StoreException(String.valueOf(e.getMessage()), e);
        } catch (TimeoutException e) {
            throw new StoreException("no zone for fresh chunks could be opened in time", e);
        }
    }
}
