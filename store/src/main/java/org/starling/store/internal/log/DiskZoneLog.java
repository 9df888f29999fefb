package org.starling.store.internal.log;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * A zone's log in a folder of segment files. Owned by {@link BackupLogs}; what the logs' thread
 * does for it is in {@link ZoneWriter} and {@link LogCleaner}. An append costs one copy, one CRC32C
 * and one look at the version table for each record, under the log's lock, and no allocation.
 */
final class DiskZoneLog implements ZoneLog {
    /** Fencing and closing wait so long for a disk that is slow; one that hangs is given up. */
    private static final long DISK_PATIENCE_SECONDS = 30;

    private final LogState state;
    private final LogContext context;
    private final String folder;

    /** Confined to the thread that appends, as the lock is held whenever it is used. */
    private final EntryCursor entry = new EntryCursor();

    private final EntryCursor part = new EntryCursor();

    DiskZoneLog(LogState state, LogContext context, String folder) {
        this.state = state;
        this.context = context;
        this.folder = folder;
    }

    // ---- appending

    @Override
    public void append(long epoch, long firstPosition, long address, int bytes, int count) {
        long limit = address + bytes;
        state.lock.lock();
        try {
            checkOpen();
            checkEpoch(epoch);
            long end = state.end();
            if (firstPosition > end + 1) {
                throw new PositionGapException(zone(), firstPosition, end);
            }
            state.raise(epoch);
            long known = Math.min(count, end + 1 - firstPosition);
            long at = address;
            for (int i = 0; i < count; i++) {
                entry.read(at, limit);
                at += entry.recordBytes();
                if (i >= known) {
                    take(epoch);
                }
            }
        } finally {
            state.lock.unlock();
        }
    }

    private void take(long epoch) {
        long position = state.end() + 1;
        add(room(BlockLayout.STREAM, epoch, entry.recordBytes()), entry, position);
        state.took(epoch, position);
    }

    @Override
    public void appendCopy(long address, int bytes, int count) {
        long limit = address + bytes;
        state.lock.lock();
        try (RunSplitter splitter = new RunSplitter()) {
            checkOpen();
            if (!state.takesCopy()) {
                throw new LogFailedException(
                        "zone 0x%x: the log does not begin with a copy, or was opened again"
                                .formatted(zone()),
                        null);
            }
            long at = address;
            for (int i = 0; i < count; i++) {
                entry.read(at, limit);
                at += entry.recordBytes();
                takeCopied(splitter);
            }
        } finally {
            state.lock.unlock();
        }
    }

    private void takeCopied(RunSplitter splitter) {
        long base = state.basePosition();
        switch (entry.kind()) {
            case EntryLayout.PUT -> {
                Block block = room(BlockLayout.COPY, state.entryEpoch(), entry.recordBytes());
                if (state.versions.wouldCount(entry.index(), base)) {
                    add(block, entry, base);
                }
            }
            case EntryLayout.SKIP ->
                    add(
                            room(BlockLayout.COPY, state.entryEpoch(), entry.recordBytes()),
                            entry,
                            base);
            case EntryLayout.CREATE_UNIFORM, EntryLayout.CREATE_LISTED -> {
                splitter.wrap(entry);
                // Room for the largest part first: finding it may let go of the lock.
                int most = entry.recordBytes() + EntryLayout.MOST_HEADER_BYTES;
                Block block = room(BlockLayout.COPY, state.entryEpoch(), most);
                while (splitter.next(index -> state.versions.wouldCount(index, base))) {
                    int bytes = splitter.encode();
                    part.read(splitter.record(), splitter.record() + bytes);
                    if (!block.fits(bytes)) {
                        block = room(BlockLayout.COPY, state.entryEpoch(), most);
                        splitter.again();
                        continue;
                    }
                    add(block, part, base);
                }
            }
            default ->
                    throw new MalformedEntryException(
                            "a copy of a zone holds puts, creations and skips, not kind "
                                    + entry.kind());
        }
    }

    private void add(Block block, EntryCursor record, long position) {
        block.add(record.address(), record.recordBytes(), position);
        int taken = block.takenBytes(record.recordBytes());
        state.versions.apply(record, position, block.segment().number(), taken);
        if (record.client() != EntryLayout.NO_CLIENT) {
            state.tags.add(position);
        }
    }

    /**
     * A block with room. Lets go of the lock while it waits for memory; a fence may come in
     * between, so the epoch is checked again.
     */
    private Block room(int kind, long epoch, int bytes) {
        Block block = state.blockFor(kind, epoch, bytes);
        while (block == null) {
            state.lock.unlock();
            try {
                context.wake().run();
                context.pool().awaitGiven();
            } finally {
                state.lock.lock();
            }
            checkOpen();
            if (kind == BlockLayout.STREAM) {
                checkEpoch(epoch);
            }
            block = state.blockFor(kind, epoch, bytes);
        }
        return block;
    }

    private void checkOpen() {
        LogFailedException failure = state.failure();
        if (failure != null) {
            throw new LogFailedException(String.valueOf(failure.getMessage()), failure);
        }
        if (state.closing() != LogState.Closing.OPEN) {
            throw new LogFailedException("the log of zone 0x%x is closed".formatted(zone()), null);
        }
    }

    private void checkEpoch(long epoch) {
        if (epoch < state.epoch()) {
            throw new StaleEpochException(zone(), epoch, state.epoch());
        }
    }

    // ---- making safe

    @Override
    public CompletableFuture<Long> force(long position) {
        state.lock.lock();
        try {
            if (position > state.end()) {
                throw new IllegalArgumentException(
                        "zone 0x%x ends at position %d, %d cannot be forced"
                                .formatted(zone(), state.end(), position));
            }
            return state.awaitForce(position);
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void fence(long epoch) {
        CompletableFuture<Long> safe;
        state.lock.lock();
        try {
            if (epoch <= state.epoch()) {
                return;
            }
            state.raise(epoch);
            if (state.failure() != null) {
                return;
            }
            safe = noteState();
        } finally {
            state.lock.unlock();
        }
        await(safe, "note its epoch");
    }

    /** Puts an empty block into the log, for its header, and forces it. */
    CompletableFuture<Long> noteState() {
        Block _ = room(BlockLayout.MOVED, state.epoch(), 0);
        state.seal();
        return state.awaitForce(Long.MAX_VALUE);
    }

    void await(CompletableFuture<Long> future, String what) {
        try {
            future.get(DISK_PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogFailedException("interrupted while waiting for the disk", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new LogFailedException(
                    "the log of zone 0x%x could not %s".formatted(zone(), what), e);
        }
    }

    // ---- reading

    @Override
    public void replay(ReplayTarget target, int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("at least one thread reads, not " + threads);
        }
        try (LogCapture capture = new LogCapture(state, context, folder)) {
            new LogReplay(state, capture, target).run(threads);
        }
    }

    @Override
    public void readTail(long fromPosition, TailVisitor visitor) {
        try (LogCapture capture = new LogCapture(state, context, folder)) {
            if (fromPosition <= capture.end()) {
                new TailReader(state, capture, fromPosition, visitor).run();
            }
        } catch (IOException e) {
            throw new LogFailedException(
                    "the log of zone 0x%x cannot be read".formatted(zone()), e);
        }
    }

    // ---- end

    @Override
    public void close() {
        close(LogState.Closing.FLUSH);
    }

    /** Lets the logs' thread end it, and waits for that. */
    void close(LogState.Closing how) {
        long left = TimeUnit.SECONDS.toNanos(DISK_PATIENCE_SECONDS);
        state.lock.lock();
        try {
            if (state.closing() == LogState.Closing.OPEN) {
                state.closing(how);
            }
            while (state.closing() != LogState.Closing.CLOSED) {
                if (left <= 0 || context.files().hang() != null) {
                    throw new LogFailedException(
                            "the log of zone 0x%x does not close".formatted(zone()),
                            context.files().hang());
                }
                left = state.changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogFailedException("interrupted while closing a log", e);
        } finally {
            state.lock.unlock();
        }
    }

    // ---- accessors

    @Override
    public long zone() {
        return state.zone();
    }

    @Override
    public long epoch() {
        return state.epoch();
    }

    @Override
    public long entryEpoch() {
        return state.entryEpoch();
    }

    @Override
    public long basePosition() {
        return state.basePosition();
    }

    @Override
    public long end() {
        return state.end();
    }

    @Override
    public long forcedEnd() {
        return state.forcedEnd();
    }

    @Override
    public long safeEnd() {
        return locked(state::safeEnd);
    }

    @Override
    public long claimedEnd() {
        return locked(state::claimedEnd);
    }

    @Override
    public boolean isDamaged() {
        return !state.damages().isEmpty();
    }

    @Override
    public long liveBytes() {
        return locked(state.versions::liveBytes);
    }

    private long locked(LongSupplier question) {
        state.lock.lock();
        try {
            return question.getAsLong();
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public long logBytes() {
        return state.logBytes();
    }

    @Override
    public boolean isFailed() {
        return state.failure() != null;
    }

    LogState state() {
        return state;
    }

    String folder() {
        return folder;
    }

    @Override
    public String toString() {
        return "log of zone 0x%x, epoch %d, end %d".formatted(zone(), epoch(), end());
    }
}
