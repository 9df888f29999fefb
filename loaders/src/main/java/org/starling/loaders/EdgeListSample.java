package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

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

    /** Reads ids that are texts; null if they are numbers. */
    private final @Nullable FieldReader texts;

    private long textBytes;
    private final LongArrayList ends = new LongArrayList();
    private long id;
    private long lines;
    private long lineBytes;
    private boolean whole;

    private EdgeListSample(TextFile text, EdgeListFormat format) {
        this.text = text;
        this.separator = format.separator();
        this.strings = new StringSample(format.columns(), separator);
        this.texts = format.textIds() ? new FieldReader(separator) : null;
    }

    /**
     * Different ids, lines of data, and bytes of different strings, ids that are texts among them,
     * that a list probably holds; exact for a small one.
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
        if (readId(cursor)) {
            long source = id;
            if (separator.pass(cursor) && readId(cursor)) {
                ends.add(source);
                ends.add(id);
                strings.look(cursor);
            }
        }
        cursor.skipLine();
    }

    /** Of a text its hash: what counts is which ids are the same. */
    private boolean readId(ByteCursor cursor) throws IOException {
        if (texts == null) {
            boolean found = cursor.readId();
            id = cursor.id();
            return found;
        }
        int length = texts.readBytes(cursor);
        if (length <= 0) {
            return false;
        }
        long hash = length;
        for (int i = 0; i < length; i++) {
            hash = Mix64.mix(hash ^ texts.bytes()[i]);
        }
        id = hash;
        textBytes += length;
        return true;
    }

    private Estimate estimate() throws IOException {
        double scale =
                whole ? 1 : (double) text.likelyTextBytes(lineBytes) / Math.max(1, lineBytes);
        long edges = Math.round(lines * Math.max(1, scale));
        long vertices = DistinctIds.estimate(ends.toLongArray(), Math.max(1, scale), edges);
        long ofIds = ends.isEmpty() ? 0 : vertices * textBytes / ends.size();
        return new Estimate(vertices, edges, strings.bytes(Math.max(1, scale)) + ofIds);
    }
}
