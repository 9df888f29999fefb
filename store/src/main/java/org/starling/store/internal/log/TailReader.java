package org.starling.store.internal.log;

import java.io.IOException;
import org.starling.net.NativeMemory;

/**
 * Tells the changes of a log in order, from a position on, straight out of its blocks. Confined to
 * a thread. Reads the segments that hold such changes, once.
 */
final class TailReader {
    private final LogState state;
    private final LogCapture capture;
    private final TailVisitor visitor;
    private final BlockEntries entries = new BlockEntries();
    private long from;

    TailReader(LogState state, LogCapture capture, long from, TailVisitor visitor) {
        this.state = state;
        this.capture = capture;
        this.from = from;
        this.visitor = visitor;
    }

    void run() throws IOException {
        if (from < capture.tailStart()) {
            throw unavailable();
        }
        for (LogCapture.Part part : capture.parts()) {
            if (part.streamEnd() < from) {
                continue;
            }
            try (SegmentReader reader = capture.reader(part)) {
                while (reader.next()) {
                    if (reader.isAfterHole() || !reader.isIntact()) {
                        throw unavailable();
                    }
                    tell(reader.block());
                }
                if (reader.isAfterHole()) {
                    throw unavailable();
                }
            }
        }
        for (Block block : capture.inMemory()) {
            tell(block.address());
        }
        if (from <= capture.end()) {
            throw unavailable();
        }
    }

    private void tell(long block) {
        int kind = NativeMemory.getByte(block + BlockLayout.KIND_AT);
        int count = NativeMemory.getInt(block + BlockLayout.COUNT_AT);
        long first = NativeMemory.getLong(block + BlockLayout.FIRST_AT);
        if (kind != BlockLayout.STREAM || first + count <= from) {
            return;
        }
        if (first > from) {
            throw unavailable();
        }
        entries.wrap(block);
        int skipped = Math.toIntExact(from - first);
        for (int i = 0; i <= skipped; i++) {
            if (!entries.next()) {
                throw unavailable();
            }
        }
        long records = entries.entry().address();
        long behind =
                block
                        + BlockLayout.HEADER_BYTES
                        + NativeMemory.getInt(block + BlockLayout.ENTRY_BYTES_AT);
        visitor.visit(
                NativeMemory.getLong(block + BlockLayout.EPOCH_AT),
                from,
                records,
                (int) (behind - records),
                count - skipped);
        from = first + count;
    }

    private TailUnavailableException unavailable() {
        long least = Math.max(capture.tailStart(), from + 1);
        return new TailUnavailableException(state.zone(), from, least);
    }
}
