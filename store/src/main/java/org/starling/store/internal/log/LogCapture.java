package org.starling.store.internal.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a log held at a moment, for a reader: parts of files, and after a failure blocks that only
 * memory holds. While it is open the cleaner stands back and nothing of this is let go.
 */
final class LogCapture implements AutoCloseable {
    /** Reading waits so long for the disk to take what waits to be written. */
    private static final long WRITE_PATIENCE_NANOS = 30_000_000_000L;

    /**
     * A part of a file.
     *
     * @param number of the segment
     * @param bytes from the front that count
     * @param streamEnd highest position of new changes in it
     */
    record Part(int number, long bytes, long streamEnd) {}

    private final LogState state;
    private final LogContext context;
    private final String folder;
    private final List<Part> parts = new ArrayList<>();
    private final List<Block> inMemory;
    private final List<Damage> damages;
    private final long end;
    private final long tailStart;

    LogCapture(LogState state, LogContext context, String folder) {
        this.state = state;
        this.context = context;
        this.folder = folder;
        state.lock.lock();
        try {
            state.enterReader();
            end = state.end(); // all of it is written then; what comes meanwhile need not be
            boolean complete = false;
            try {
                state.awaitWritten(WRITE_PATIENCE_NANOS);
                complete = true;
            } finally {
                if (!complete) {
                    state.leaveReader();
                }
            }
            for (Segment segment : state.segments) {
                if (segment.holdsBlocks()) {
                    parts.add(
                            new Part(
                                    segment.number(), segment.writtenBytes(), segment.streamEnd()));
                }
            }
            inMemory = state.failure() == null ? List.of() : List.copyOf(state.sealed);
            damages = state.damages();
            tailStart = state.tailStart();
        } finally {
            state.lock.unlock();
        }
    }

    SegmentReader reader(Part part) throws IOException {
        LogFile file = context.files().open(folder, Segment.nameOf(part.number()));
        return new SegmentReader(
                file, part.number(), state.zone(), state.logId(), part.bytes(), true);
    }

    List<Part> parts() {
        return parts;
    }

    List<Block> inMemory() {
        return inMemory;
    }

    List<Damage> damages() {
        return damages;
    }

    long end() {
        return end;
    }

    long tailStart() {
        return tailStart;
    }

    @Override
    public void close() {
        state.lock.lock();
        try {
            state.leaveReader();
        } finally {
            state.lock.unlock();
        }
    }
}
