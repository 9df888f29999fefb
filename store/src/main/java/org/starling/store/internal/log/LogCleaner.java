package org.starling.store.internal.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * Keeps a log short, first in, first out: takes the oldest segment, appends again what is still
 * live of it, with the positions it had, and deletes the file. Confined to the logs' thread, works a
 * window at a time, and stands back while somebody reads.
 *
 * <p>Why it may drop removals: for each chunk, the file order of its entries is the order of their
 * positions (an entry moves only while it is the newest). So when a removal has come to the head of
 * the log, nothing older of its chunks is left, in this segment or before it; and the file is
 * deleted, safely, before the next one is touched.
 */
final class LogCleaner implements AutoCloseable {
    /** Cleans so many times the bytes that were written meanwhile, so that it keeps pace. */
    private static final int PACE = 4;

    private final LogState state;
    private final LogContext context;
    private final ZoneWriter writer;
    private final String folder;

    /** Frees memory of blocks by writing what waits, of all logs. */
    private final Relief relief;

    private final BlockEntries entries = new BlockEntries();
    private final EntryCursor part = new EntryCursor();
    private final RunSplitter splitter = new RunSplitter();
    private final long tagMemory = NativeMemory.reserve(NativeMemory.PAGE_BYTES);
    private @Nullable SegmentReader reader;
    private int segment;

    /** Counts how often the lock was let go of in the middle of a block. */
    private long pauses;

    /** Writes what waits. */
    @FunctionalInterface
    interface Relief {
        /** All logs. */
        void relieve();
    }

    LogCleaner(
            LogState state, LogContext context, ZoneWriter writer, String folder, Relief relief) {
        this.state = state;
        this.context = context;
        this.writer = writer;
        this.folder = folder;
        this.relief = relief;
    }

    /**
     * Cleans for a while.
     *
     * @param writtenBytes what has been written to the log since the last call
     * @return bytes looked at
     */
    long clean(long writtenBytes) throws IOException {
        long budget = Math.max(SegmentReader.WINDOW_BYTES, PACE * writtenBytes);
        long done = 0;
        while (done < budget) {
            SegmentReader source = reader != null ? reader : begin();
            if (source == null || mustWait()) {
                return done;
            }
            long before = source.nextOffset();
            if (!source.next()) {
                end(source);
                continue;
            }
            moveWindow(source);
            done += source.nextOffset() - before;
        }
        return done;
    }

    private boolean mustWait() {
        state.lock.lock();
        try {
            return state.hasReaders() || state.closing() != LogState.Closing.OPEN;
        } finally {
            state.lock.unlock();
        }
    }

    private @Nullable SegmentReader begin() throws IOException {
        long bytes;
        state.lock.lock();
        try {
            Segment head = state.segments.peekFirst();
            if (!state.wantsCleaning()
                    || head == null
                    || head.writtenBytes() < head.allocatedBytes()) {
                return null;
            }
            segment = head.number();
            bytes = head.writtenBytes();
        } finally {
            state.lock.unlock();
        }
        LogFile file = context.files().open(folder, Segment.nameOf(segment));
        reader = new SegmentReader(file, segment, state.zone(), state.logId(), bytes, true);
        return reader;
    }

    private void moveWindow(SegmentReader source) throws IOException {
        do {
            if (source.isAfterHole() || !source.isIntact()) {
                throw new IOException(
                        "block at %d of segment %d of zone 0x%x is damaged"
                                .formatted(source.offset(), segment, state.zone()));
            }
            moveBlock(source.block());
        } while (source.isNextLoaded() && source.next());
    }

    private void moveBlock(long block) {
        long epoch = NativeMemory.getLong(block + BlockLayout.EPOCH_AT);
        entries.wrap(block);
        state.lock.lock();
        try {
            while (entries.next()) {
                move(epoch, entries.entry(), entries.position());
            }
        } finally {
            state.lock.unlock();
        }
        if (entries.isBroken()) {
            throw new IllegalStateException("an intact block holds no entries: bug");
        }
    }

    private void move(long epoch, EntryCursor entry, long position) {
        boolean moved = false;
        switch (entry.kind()) {
            case EntryLayout.PUT -> moved = moveValue(epoch, entry, position);
            case EntryLayout.CREATE_UNIFORM, EntryLayout.CREATE_LISTED ->
                    moveRun(epoch, entry, position);
            default -> {}
        }
        boolean tagged = entry.client() != EntryLayout.NO_CLIENT;
        if (tagged && !moved && state.tags.keeps(position)) {
            int first = entry.index();
            int count = entry.count();
            int bytes =
                    EntryWriter.skip(tagMemory, first, count, entry.client(), entry.sequence());
            Block block = room(epoch, bytes);
            if (block != null) {
                block.add(tagMemory, bytes, position);
            }
        }
    }

    private boolean moveValue(long epoch, EntryCursor entry, long position) {
        if (!state.versions.isLive(entry.index(), position, segment)) {
            return false;
        }
        int bytes = entry.recordBytes();
        Block block = room(epoch, bytes);
        // Asked again: finding room may have taken a while without the lock.
        if (block == null || !state.versions.isLive(entry.index(), position, segment)) {
            return false;
        }
        block.add(entry.address(), bytes, position);
        int taken = block.takenBytes(bytes);
        state.versions.apply(entry, position, block.segment().number(), taken);
        return true;
    }

    private void moveRun(long epoch, EntryCursor entry, long position) {
        splitter.wrap(entry);
        while (splitter.next(index -> state.versions.isLive(index, position, segment))) {
            int bytes = splitter.encode();
            long pausesBefore = pauses;
            Block block = room(epoch, bytes);
            if (block == null) {
                return;
            }
            if (pauses != pausesBefore) {
                splitter.again();
                continue;
            }
            part.read(splitter.record(), splitter.record() + bytes);
            block.add(splitter.record(), bytes, position);
            int taken = block.takenBytes(bytes);
            state.versions.apply(part, position, block.segment().number(), taken);
        }
    }

    /** A block with room, or null when the log has failed; pauses while there is no memory. */
    private @Nullable Block room(long epoch, int bytes) {
        Block block = state.blockFor(BlockLayout.MOVED, epoch, bytes);
        while (block == null && state.failure() == null) {
            pauses++;
            state.lock.unlock();
            try {
                relief.relieve();
            } finally {
                state.lock.lock();
            }
            block = state.blockFor(BlockLayout.MOVED, epoch, bytes);
        }
        return state.failure() == null ? block : null;
    }

    private void end(SegmentReader source) throws IOException {
        if (source.isAfterHole()) {
            throw new IOException(
                    "the end of segment %d of zone 0x%x is damaged"
                            .formatted(segment, state.zone()));
        }
        reader = null;
        source.close();
        if (!noteHead()) {
            return;
        }
        writer.write();
        writer.force();
        context.files().delete(folder, Segment.nameOf(segment));
        state.lock.lock();
        try {
            state.dropHead();
        } finally {
            state.lock.unlock();
        }
    }

    /** Puts a block into the log that says that the segment is needed no more. */
    private boolean noteHead() {
        state.lock.lock();
        try {
            state.seal();
            state.advanceHead(segment + 1);
            Block block = room(state.epoch(), 0);
            state.seal();
            return block != null;
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
            reader = null;
        }
        splitter.close();
        NativeMemory.release(tagMemory, NativeMemory.PAGE_BYTES);
    }
}
