package org.starling.store.internal.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes the sealed blocks of one log and forces them. Confined to the logs' thread. An {@link
 * IOException} of any of its methods ends the log: the caller gives it up and never calls again.
 */
final class ZoneWriter {
    /** What was written but nobody asked to force is forced after this time. */
    private static final long LAZY_FORCE_NANOS = 1_000_000_000L;

    private final LogState state;
    private final LogContext context;
    private final String folder;

    /**
     * A file that is open.
     *
     * @param segment its number
     */
    private record Open(LogFile file, int segment) {}

    /**
     * Files to be forced, in order: those written since the last force, and the one before, when it
     * had not been noted in it by then that the log goes on behind it, be it that of an earlier
     * run.
     */
    private final List<Open> unforced = new ArrayList<>();

    private final MarkPage page = new MarkPage();

    /** The file that is being written. */
    private @Nullable Open last;

    /** The last full file that has been kept for another mark. */
    private int markedSegment;

    private long writtenOrdinal;
    private long writtenEnd;
    private long unforcedSinceNanos;
    private long freshBytes;
    private long forcedNanos;

    ZoneWriter(LogState state, LogContext context, String folder) {
        this.state = state;
        this.context = context;
        this.folder = folder;
        writtenOrdinal = state.writtenOrdinal();
        writtenEnd = state.end();
    }

    /** Seals the open block if it is time for that, or begins one that notes what is safe. */
    void sealIfDue(long nowNanos, boolean memoryIsShort) {
        state.lock.lock();
        try {
            if (nowNanos - forcedNanos >= LAZY_FORCE_NANOS) {
                note();
            }
            Block open = state.open();
            if (open != null
                    && (memoryIsShort
                            || state.hasWaiters()
                            || state.closing() != LogState.Closing.OPEN
                            || dueIn(open, nowNanos) <= 0)) {
                state.seal();
            }
        } finally {
            state.lock.unlock();
        }
    }

    /** If no block says so yet, lets one say up to where the log is safe. Called with the lock. */
    void note() {
        if (state.wantsNote()) {
            forcedNanos = context.nanoClock().getAsLong();
            if (state.blockFor(BlockLayout.MOVED, state.epoch(), 0) != null) {
                state.seal();
            }
        }
    }

    /** Nanoseconds until {@link #sealIfDue} or a lazy force has something to do. */
    long dueIn(long nowNanos) {
        long due = Long.MAX_VALUE;
        if (!unforced.isEmpty()) {
            due = unforcedSinceNanos + LAZY_FORCE_NANOS - nowNanos;
        }
        state.lock.lock();
        try {
            if (state.wantsNote()) {
                due = Math.min(due, forcedNanos + LAZY_FORCE_NANOS - nowNanos);
            }
            Block open = state.open();
            return open == null ? due : Math.min(due, dueIn(open, nowNanos));
        } finally {
            state.lock.unlock();
        }
    }

    private long dueIn(Block block, long nowNanos) {
        return block.openedNanos() + context.config().flushDelay().toNanos() - nowNanos;
    }

    /** Writes all that is sealed. */
    void writeAll() throws IOException {
        write(Long.MAX_VALUE);
    }

    /**
     * Writes what is sealed.
     *
     * @param limitBytes stops when it has written so much
     */
    long write(long limitBytes) throws IOException {
        long bytes = 0;
        for (Block block = first(); block != null && bytes < limitBytes; block = first()) {
            block.protect();
            fileOf(block).write(block.fileOffset(), block.address(), block.blockBytes());
            bytes += block.blockBytes();
            freshBytes += block.kind() == BlockLayout.MOVED ? 0 : block.blockBytes();
            writtenOrdinal = block.ordinal() + 1;
            writtenEnd = block.end();
            state.lock.lock();
            try {
                if (state.failure() != null) {
                    break; // given up by who looks after the disk: it stays in memory to be read
                }
                state.wrote(block);
            } finally {
                state.lock.unlock();
            }
            context.pool().give(block);
        }
        return bytes;
    }

    private @Nullable Block first() {
        state.lock.lock();
        try {
            return state.sealed.peekFirst();
        } finally {
            state.lock.unlock();
        }
    }

    private LogFile fileOf(Block block) throws IOException {
        int number = block.segment().number();
        Open current = last == null ? before(number) : last;
        if (current == null || current.segment != number) {
            if (current != null) {
                toBeForced(current);
            }
            current = new Open(context.files().create(folder, block.segment().fileName()), number);
            last = current;
        }
        toBeForced(current);
        return current.file;
    }

    /** What an earlier run has written last: that is to be told that the log goes on behind it. */
    private @Nullable Open before(int number) throws IOException {
        Segment before = null;
        state.lock.lock();
        try {
            for (Segment each : state.segments) {
                if (each.number() < number) {
                    before = each;
                }
            }
        } finally {
            state.lock.unlock();
        }
        return before == null
                ? null
                : new Open(context.files().open(folder, before.fileName()), before.number());
    }

    private void toBeForced(Open written) {
        if (unforced.isEmpty()) {
            unforcedSinceNanos = context.nanoClock().getAsLong();
        }
        if (!unforced.contains(written)) {
            unforced.add(written);
        }
    }

    /** Forces if somebody waits for it, or what was written has waited long. */
    void forceIfDue(long nowNanos) throws IOException {
        if (wantsForce()
                || (!unforced.isEmpty() && nowNanos - unforcedSinceNanos >= LAZY_FORCE_NANOS)) {
            force();
        }
    }

    private boolean wantsForce() {
        state.lock.lock();
        try {
            return state.hasWaiters(writtenOrdinal);
        } finally {
            state.lock.unlock();
        }
    }

    /** Forces all that has been written, and tells those who wait for it. */
    void force() throws IOException {
        MarkLayout.Mark mark =
                new MarkLayout.Mark(
                        state.forcedOrdinal(), state.forcedEnd(), writtenOrdinal, claimedEnd());
        for (Open written : unforced) {
            page.write(written.file, state.logId(), state.zone(), written.segment, mark);
        }
        for (Open written : unforced) {
            written.file.force();
        }
        closeFull();
        forcedNanos = context.nanoClock().getAsLong();
        unforcedSinceNanos = forcedNanos;
        List<CompletableFuture<Long>> done;
        state.lock.lock();
        try {
            done = state.forced(writtenOrdinal, writtenEnd);
        } finally {
            state.lock.unlock();
        }
        long end = state.forcedEnd();
        done.forEach(future -> future.complete(end));
    }

    /** What an earlier run has claimed is claimed until the log has grown. */
    private long claimedEnd() {
        state.lock.lock();
        try {
            return Math.max(writtenEnd, state.claimedEnd());
        } finally {
            state.lock.unlock();
        }
    }

    /**
     * Lets go of the files that are full. The last of them, if it became so since the force before,
     * is marked and forced once more: its mark claims that the log goes on behind it, but does not
     * know yet that this is safe.
     */
    private void closeFull() throws IOException {
        Open full = unforced.size() > 1 ? unforced.get(unforced.size() - 2) : null;
        boolean isKnown = full == null || full.segment == markedSegment;
        for (Open written : unforced) {
            if (!written.equals(last) && (isKnown || !written.equals(full))) {
                written.file.close();
            }
        }
        unforced.clear();
        if (full != null && !isKnown) {
            unforced.add(full);
            markedSegment = full.segment;
        }
    }

    /** All that was ever written of new changes and copies; what the cleaner moves not counted. */
    long freshBytes() {
        return freshBytes;
    }

    /** Lets go of the files. */
    void close() throws IOException {
        page.close();
        Open current = last;
        last = null;
        if (current != null && !unforced.contains(current)) {
            current.file.close();
        }
        for (Open written : unforced) {
            written.file.close();
        }
        unforced.clear();
    }
}
