package org.starling.store.internal.replica;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.log.EntryCursor;
import org.starling.store.internal.log.ZoneLog;

/**
 * A zone that is in the memory of one of its backups already, because that is to take it over: what
 * its log has told, and what has come since, in order. It is what a replay of the log would tell. A
 * recovery that takes it has only to add the last changes, so the zone is away for a moment and not
 * for a replay of its whole log.
 *
 * <p>One step at a time runs on the executor; a recovery that takes it waits for the last one, and
 * then it is the recovery's own.
 */
final class PreparedZone {
    private static final Logger LOGGER = LogManager.getLogger(PreparedZone.class);

    private final long zone;
    private final BackupService backups;
    private final LocalChunks chunks;
    private final TagTable tags = new TagTable();
    private final RestoringTarget target;

    // confined to the steps, and then to the recovery
    private @Nullable ZoneLog log;
    private long position;
    private boolean isGood = true;

    /** Of the last step. Guarded by the owner's lock. */
    private CompletableFuture<?> lastStep = CompletableFuture.completedFuture(null);

    /** When it was asked for last, or was seen first behind that; 0: not seen yet. Likewise. */
    private long sinceNanos;

    PreparedZone(long zone, BackupService backups, LocalChunks chunks) {
        this.zone = zone;
        this.backups = backups;
        this.chunks = chunks;
        target = new RestoringTarget(zone, chunks, tags, 0);
    }

    /**
     * Brings it up to date, behind the steps before.
     *
     * @return completes with whether it is
     */
    CompletableFuture<Boolean> bring(Executor executor) {
        sinceNanos = 0;
        CompletableFuture<Boolean> next =
                lastStep.handleAsync(
                        (_, _) -> {
                            bring();
                            return isGood;
                        },
                        executor);
        lastStep = next;
        return next;
    }

    /** Completes when no step runs any more; never fails. */
    CompletableFuture<?> atRest() {
        return lastStep.handle((_, _) -> true);
    }

    /** Whether the last step has ended, and found that it can't be had. */
    boolean isVain() {
        return lastStep.isDone() && !isGood;
    }

    /** Whether nobody has asked for it for so long, as far as that has been looked at. */
    boolean isForgotten(long nowNanos, long patienceNanos) {
        if (sinceNanos == 0) {
            sinceNanos = nowNanos;
        }
        return lastStep.isDone() && nowNanos - sinceNanos > patienceNanos;
    }

    /**
     * Adds what has come last; false if it is not what the log tells, as that is another one now,
     * is damaged, or can't tell its changes one by one.
     */
    boolean isComplete() {
        bring();
        return isGood;
    }

    RestoringTarget target() {
        return target;
    }

    TagTable tags() {
        return tags;
    }

    /** Is no more; its memory is free as soon as that of closed zones is freed. */
    void discard() {
        isGood = false;
        boolean _ = chunks.leaveZone(zone, null);
    }

    @SuppressWarnings("ReferenceEquality") // this very log: one that came since may differ
    private void bring() {
        if (!isGood) {
            return;
        }
        boolean isDone = false;
        try {
            if (log == null) {
                log = begun();
            } else if (backups.log(zone) != log) {
                throw new StoreException("it has another log now");
            }
            follow(log);
            isDone = true;
        } catch (RuntimeException e) {
            LOGGER.info(
                    "zone {} is not taken over out of memory: {}",
                    Long.toHexString(zone),
                    e.getMessage());
        } finally {
            if (!isDone) { // after an Error, too
                discard();
            }
        }
    }

    private ZoneLog begun() {
        ZoneLog whole = backups.log(zone);
        if (whole == null) {
            throw new StoreException("it has no log here");
        }
        position = whole.end(); // what comes meanwhile may be told or not, and is told again
        chunks.openZone(zone, null);
        whole.replay(target, 1);
        if (target.damagedTo() > 0) {
            throw new StoreException("its log here is damaged");
        }
        return whole;
    }

    private void follow(ZoneLog whole) {
        EntryCursor change = new EntryCursor();
        whole.readTail(
                position + 1,
                (_, first, address, bytes, count) -> {
                    long at = address;
                    for (int i = 0; i < count; i++) {
                        change.read(at, address + bytes);
                        target.change(change, first + i);
                        at += change.recordBytes();
                    }
                    position = first + count - 1;
                });
    }
}
