package org.starling.store.internal.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * What the logs' thread does for one log, round by round: seal, write, force, clean, and in the end
 * let go. Confined to that thread, but for giving up. The first failure of the disk, or an
 * operation that hangs, ends the log: nothing is written to its files after that, not even to mend
 * it.
 */
final class ZoneAgent {
    private static final Logger LOG = LogManager.getLogger(ZoneAgent.class);

    private final DiskZoneLog log;
    private final LogState state;
    private final LogContext context;
    private final ZoneWriter writer;
    private final LogCleaner cleaner;
    private final AtomicBoolean isFailureTold = new AtomicBoolean();

    ZoneAgent(DiskZoneLog log, LogContext context, LogCleaner.Relief relief) {
        this.log = log;
        this.context = context;
        state = log.state();
        writer = new ZoneWriter(state, context, log.folder());
        cleaner = new LogCleaner(state, context, writer, log.folder(), relief);
    }

    DiskZoneLog log() {
        return log;
    }

    /**
     * Seals what is due and writes what is sealed, up to a part of a segment, so that the cleaner
     * keeps pace.
     */
    long write(long nowNanos, boolean memoryIsShort) {
        return isInUse()
                ? guard(() -> {
                    writer.sealIfDue(nowNanos, memoryIsShort);
                    return writer.write(context.config().segmentBytes() / 4);
                })
                : 0;
    }

    /** Forces if that is due. */
    void force(long nowNanos) {
        if (isInUse()) {
            guard(() -> {
                writer.forceIfDue(nowNanos);
                return 0;
            });
        }
    }

    private boolean isInUse() {
        return state.failure() == null && state.closing() != LogState.Closing.DROP;
    }

    /** Cleans in step with what was written; returns bytes looked at. */
    long clean() {
        return state.failure() == null ? guard(cleaner::clean) : 0;
    }

    /** Nanoseconds until there is something to do without being woken. */
    long dueIn(long nowNanos) {
        return state.failure() == null ? writer.dueIn(nowNanos) : Long.MAX_VALUE;
    }

    /** Whether the failure has happened and not been asked about. Any thread. */
    boolean takeFailure() {
        return state.failure() != null && isFailureTold.compareAndSet(false, true);
    }

    private interface DiskWork {
        long run() throws IOException;
    }

    private long guard(DiskWork work) {
        try {
            return work.run();
        } catch (IOException | RuntimeException | Error e) {
            fail(e); // whatever it was, the other logs go on
            return 0;
        }
    }

    /** The log gives up. Any thread: the logs' own may be the one that hangs. */
    void fail(Throwable cause) {
        LogFailedException failure =
                new LogFailedException(
                        "zone 0x%x: the disk under %s failed, so this backup gives the zone up: %s"
                                .formatted(state.zone(), context.files(), cause.getMessage()),
                        cause);
        List<CompletableFuture<Long>> waiting;
        state.lock.lock();
        try {
            if (state.failure() != null) {
                state.changed.signalAll(); // who waits for its end sees whether the disk hangs
                return;
            }
            waiting = state.fail(failure);
        } finally {
            state.lock.unlock();
        }
        LOG.error("{}", failure.getMessage(), cause);
        waiting.forEach(future -> future.completeExceptionally(failure));
    }

    /** Ends the log if it is to be ended and nobody reads it; true when it is gone. */
    boolean closeIfDue() {
        LogState.Closing closing = state.closing();
        if (closing == LogState.Closing.OPEN) {
            return false;
        }
        if (closing == LogState.Closing.FLUSH && state.failure() == null) {
            guard(() -> {
                writer.sealIfDue(0, true);
                writer.writeAll();
                writer.force();
                noteSafety();
                writer.writeAll();
                writer.force();
                return 0;
            });
        }
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        state.lock.lock();
        try {
            if (state.hasReaders()) {
                return false;
            }
            boolean failed = state.failure() != null;
            LogFailedException closed =
                    new LogFailedException(
                            "the log of zone 0x%x is closed".formatted(state.zone()), null);
            waiting.addAll(state.fail(closed));
            // After a failure the pool has forgotten them already.
            state.sealed.forEach(Block::close);
            state.sealed.clear();
            state.versions.close();
            LOG.debug("{} closed, failed: {}", log, failed);
            waiting.forEach(future -> future.completeExceptionally(closed));
        } finally {
            state.lock.unlock();
        }
        closeFiles();
        state.lock.lock();
        try {
            state.closing(LogState.Closing.CLOSED);
        } finally {
            state.lock.unlock();
        }
        return true;
    }

    private void noteSafety() {
        state.lock.lock();
        try {
            writer.note();
        } finally {
            state.lock.unlock();
        }
    }

    private void closeFiles() {
        try {
            cleaner.close();
            writer.close();
        } catch (IOException e) {
            LOG.warn("{}: a file does not close", log, e);
        }
    }
}
