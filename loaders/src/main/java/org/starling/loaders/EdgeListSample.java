package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;

/**
 * Estimates how many edges and vertices an edge list holds from a few of its lines. Confined to one
 * thread; the same file gives the same numbers everywhere.
 *
 * <p>A plain file is looked at in {@link #WINDOWS} places, a compressed one at its beginning. A
 * text that fits into the sample is counted, not estimated. The number of edges follows from the
 * bytes of a line, that of vertices as {@link DistinctIds} has it.
 */
final class EdgeListSample {

    /** Places of a plain file that are looked at. */
    static final int WINDOWS = 16;

    /** Bytes that are looked at in each. */
    static final long WINDOW_BYTES = 64 << 10;

    /** Bytes of text that are looked at in a compressed file. */
    static final long PACKED_BYTES = 4 << 20;

    private final TextFile text;
    private final Separator separator;
    private final StringSample strings;
    private final LongArrayList ends = new LongArrayList();
    private long lines;
    private long lineBytes;
    private boolean whole;

    private EdgeListSample(TextFile text, EdgeListFormat format) {
        this.text = text;
        this.separator = format.separator();
        this.strings = new StringSample(format.columns(), separator);
    }

    /**
     * Different ids, lines of data, and bytes of different strings that a list probably holds;
     * exact for a small one.
     */
    record Estimate(long vertices, long lines, long stringBytes) {}

    static Estimate of(TextFile text, EdgeListFormat format) throws IOException {
        EdgeListSample sample = new EdgeListSample(text, format);
        sample.look();
        return sample.estimate();
    }

    private void look() throws IOException {
        if (text.isPacked()) {
            try (ByteCursor cursor = text.cursor()) {
                whole = look(cursor, PACKED_BYTES);
            }
        } else if (text.fileBytes() <= WINDOWS * WINDOW_BYTES) {
            try (ByteCursor cursor = text.cursor()) {
                whole = look(cursor, Long.MAX_VALUE);
            }
        } else {
            long last = text.fileBytes() - WINDOW_BYTES;
            for (int window = 0; window < WINDOWS; window++) {
                long start = window * (last / (WINDOWS - 1));
                try (ByteCursor cursor = text.cursorOnLineFrom(start)) {
                    look(cursor, start + WINDOW_BYTES);
                }
            }
        }
    }

    /** Counts lines that begin before {@code end}; true if the text ended. */
    private boolean look(ByteCursor cursor, long end) throws IOException {
        long start = cursor.offset();
        lines += DataLines.read(cursor, end, () -> lookAtEdge(cursor)).data();
        lineBytes += cursor.offset() - start;
        return cursor.peek() == ByteCursor.END;
    }

    /** A line that makes no sense counts, too: whoever reads the file complains about it. */
    private void lookAtEdge(ByteCursor cursor) throws IOException {
        if (cursor.readId()) {
            long source = cursor.id();
            if (separator.pass(cursor) && cursor.readId()) {
                ends.add(source);
                ends.add(cursor.id());
                strings.look(cursor);
            }
        }
        cursor.skipLine();
    }

    private Estimate estimate() throws IOException {
        double scale =
                whole ? 1 : (double) text.likelyTextBytes(lineBytes) / Math.max(1, lineBytes);
        long edges = Math.round(lines * Math.max(1, scale));
        return new Estimate(
                DistinctIds.estimate(ends.toLongArray(), Math.max(1, scale), edges),
                edges,
                strings.bytes(Math.max(1, scale)));
    }
}
