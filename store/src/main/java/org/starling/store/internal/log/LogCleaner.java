package org.starling.store.internal.log;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * Keeps a log short, first in, first out: takes the oldest segment, appends again what is still
 * live of it, with the positions it had, and deletes the file. Confined to the logs' thread, works
 * a window at a time, and stands back while somebody reads.
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

    /** Whether the reader stands on a block that has not been moved. */
    private boolean blockLoaded;

    /** Whether a segment's file is to be deleted. */
    private boolean isCleaned;

    /** What had been written when it last stopped. */
    private long pacedBytes;

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
     * Cleans a window, and more when more has been written since the last call.
     *
     * @return bytes looked at
     */
    long clean() throws IOException {
        long done = 0;
        while (isInPace(done) && state.failure() == null && dropCleaned()) {
            SegmentReader source = reader != null ? reader : begin();
            if (source == null) {
                break;
            }
            if (!blockLoaded && !load(source)) {
                if (!end(source)) {
                    break; // somebody reads, or the log ends: this thread has to write for them
                }
                continue;
            }
            long bytes = NativeMemory.getInt(source.block() + BlockLayout.BLOCK_BYTES_AT);
            if (!moveBlock(source.block())) {
                break;
            }
            blockLoaded = false;
            done += bytes;
        }
        pacedBytes = writer.freshBytes();
        return done;
    }

    private boolean isInPace(long done) {
        long written = writer.freshBytes() - pacedBytes;
        return done < Math.max(SegmentReader.WINDOW_BYTES, PACE * written);
    }

    /** Whether nobody reads, so that entries may move. Asked with the lock. */
    private boolean mayMove() {
        return !state.hasReaders()
                && state.closing() == LogState.Closing.OPEN
                && state.failure() == null;
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

    private boolean load(SegmentReader source) throws IOException {
        blockLoaded = source.next();
        if (source.isAfterHole() || (blockLoaded && !source.isIntact())) {
            throw new IOException(
                    "the block at %d of segment %d of zone 0x%x is damaged"
                            .formatted(source.offset(), segment, state.zone()));
        }
        return blockLoaded;
    }

    /**
     * Appends what is live of a block again. When somebody begins to read meanwhile it stops; the
     * block is then looked at again from its start, where nothing is live any more that has moved.
     */
    private boolean moveBlock(long block) {
        long epoch = NativeMemory.getLong(block + BlockLayout.EPOCH_AT);
        entries.wrap(block);
        state.lock.lock();
        try {
            boolean goesOn = mayMove();
            while (goesOn && entries.next()) {
                goesOn = move(epoch, entries.entry(), entries.position());
            }
            if (entries.isBroken()) {
                throw new IllegalStateException("an intact block holds no entries: bug");
            }
            return goesOn;
        } finally {
            state.lock.unlock();
        }
    }

    private boolean move(long epoch, EntryCursor entry, long position) {
        boolean isTagged = entry.client() != EntryLayout.NO_CLIENT;
        return switch (entry.kind()) {
            case EntryLayout.PUT -> {
                if (state.versions.isLive(entry.index(), position, segment)) {
                    yield moveValue(epoch, entry, position);
                }
                yield !isTagged || moveTag(epoch, entry, position);
            }
            case EntryLayout.CREATE_UNIFORM, EntryLayout.CREATE_LISTED ->
                    moveRun(epoch, entry, position)
                            && (!isTagged || moveTag(epoch, entry, position));
            default -> !isTagged || moveTag(epoch, entry, position);
        };
    }

    private boolean moveTag(long epoch, EntryCursor entry, long position) {
        if (!state.tags.keeps(position)) {
            return true;
        }
        int first = entry.index();
        int count = entry.count();
        int bytes = EntryWriter.skip(tagMemory, first, count, entry.client(), entry.sequence());
        Block block = room(epoch, bytes);
        if (block != null) {
            block.add(tagMemory, bytes, position);
        }
        return block != null;
    }

    private boolean moveValue(long epoch, EntryCursor entry, long position) {
        int bytes = entry.recordBytes();
        Block block = room(epoch, bytes);
        // Asked again: finding room may have taken a while without the lock.
        if (block != null && state.versions.isLive(entry.index(), position, segment)) {
            block.add(entry.address(), bytes, position);
            int taken = block.takenBytes(bytes);
            state.versions.apply(entry, position, block.segment().number(), taken);
        }
        return block != null;
    }

    private boolean moveRun(long epoch, EntryCursor entry, long position) {
        splitter.wrap(entry);
        while (splitter.next(index -> state.versions.isLive(index, position, segment))) {
            int bytes = splitter.encode();
            long pausesBefore = pauses;
            Block block = room(epoch, bytes);
            if (block == null) {
                return false;
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
        return true;
    }

    /** A block with room; null when moving has to stop. Pauses while there is no memory. */
    private @Nullable Block room(long epoch, int bytes) {
        Block block = state.blockFor(BlockLayout.MOVED, epoch, bytes);
        while (block == null) {
            pauses++;
            state.lock.unlock();
            try {
                relief.relieve();
            } finally {
                state.lock.lock();
            }
            if (!mayMove()) {
                return null;
            }
            block = state.blockFor(BlockLayout.MOVED, epoch, bytes);
        }
        return block;
    }

    /** Gives the segment up; false if that has to wait for a reader. */
    private boolean end(SegmentReader source) throws IOException {
        if (!noteHead()) {
            return false;
        }
        reader = null;
        source.close();
        writer.writeAll();
        writer.force();
        isCleaned = true;
        return true;
    }

    /** Deletes the file of the cleaned segment, if there is one; false while somebody reads it. */
    private boolean dropCleaned() throws IOException {
        if (!isCleaned) {
            return true;
        }
        List<Segment> dropped;
        state.lock.lock();
        try {
            if (!mayMove()) {
                return false;
            }
            dropped = state.dropHead();
        } finally {
            state.lock.unlock();
        }
        for (Segment each : dropped) {
            context.files().delete(folder, each.fileName());
        }
        isCleaned = false;
        return true;
    }

    /** Puts a block into the log that says that the segment is needed no more. */
    private boolean noteHead() {
        state.lock.lock();
        try {
            if (!mayMove()) {
                return false;
            }
            state.seal();
            Block block = room(state.epoch(), 0);
            if (block != null) {
                state.advanceHead();
                state.seal();
            }
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
