package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

    private final List<TextFile> texts;
    private final Separator separator;
    private final @Nullable TableColumns table;
    private final FieldReader fields;
    private final StringSample strings;
    private final long commentsEnd;

    /** Whether ids are texts. */
    private final boolean textIds;

    /** Bytes of these. */
    private long idBytes;

    private final LongArrayList ends = new LongArrayList();
    private long id;
    private long lines;
    private long lineBytes;
    private boolean whole = true;

    private EdgeListSample(List<TextFile> texts, EdgeListFormat format) {
        this.texts = texts;
        this.separator = format.separator();
        this.table = format.table();
        this.fields = new FieldReader(separator);
        this.strings = new StringSample(format.columns(), separator);
        this.textIds = format.textIds();
        this.commentsEnd = format.commentsEnd();
    }

    /**
     * Different ids, lines of data, and bytes of different strings, ids that are texts among them,
     * that a list probably holds; exact for a small one.
     */
    record Estimate(long vertices, long lines, long stringBytes) {}

    static Estimate of(TextFile text, EdgeListFormat format) throws IOException {
        return of(List.of(text), format);
    }

    /** The same of several files together. */
    static Estimate of(List<TextFile> texts, EdgeListFormat format) throws IOException {
        EdgeListSample sample = new EdgeListSample(texts, format);
        long textBytes = 0;
        for (TextFile text : texts) {
            textBytes += sample.look(text);
        }
        return sample.estimate(textBytes);
    }

    /** Looks at a file; how many bytes of text it probably has. */
    private long look(TextFile text) throws IOException {
        long before = lineBytes;
        boolean all = false;
        int windows = Math.max(1, WINDOWS / texts.size());
        if (text.isPacked()) {
            try (ByteCursor cursor = text.cursor()) {
                all = look(cursor, Math.max(WINDOW_BYTES, PACKED_BYTES / texts.size()));
            }
        } else if (text.fileBytes() <= windows * WINDOW_BYTES) {
            try (ByteCursor cursor = text.cursor()) {
                all = look(cursor, Long.MAX_VALUE);
            }
        } else {
            long last = text.fileBytes() - WINDOW_BYTES;
            for (int window = 0; window < windows; window++) {
                long start = window * (last / Math.max(1, windows - 1));
                try (ByteCursor cursor = text.cursorOnLineFrom(start)) {
                    look(cursor, start + WINDOW_BYTES);
                }
            }
        }
        whole &= all;
        long seen = lineBytes - before;
        return all ? seen : text.likelyTextBytes(seen);
    }

    /** Counts lines that begin before {@code end}; true if the text ended. */
    private boolean look(ByteCursor cursor, long end) throws IOException {
        long start = cursor.offset();
        lines += DataLines.read(cursor, end, commentsEnd, () -> lookAtEdge(cursor)).data();
        lineBytes += cursor.offset() - start;
        return cursor.peek() == ByteCursor.END;
    }

    /** A line that makes no sense counts, too: whoever reads the file complains about it. */
    private void lookAtEdge(ByteCursor cursor) throws IOException {
        if (table != null) {
            lookAtFields(cursor, table);
            return;
        }
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
        if (!textIds) {
            boolean found = cursor.readId();
            id = cursor.id();
            return found;
        }
        int length = fields.readBytes(cursor);
        if (length <= 0) {
            return false;
        }
        id = hash(fields.bytes(), length);
        idBytes += length;
        return true;
    }

    private static long hash(byte[] text, int length) {
        long hash = length;
        for (int i = 0; i < length; i++) {
            hash = Mix64.mix(hash ^ text[i]);
        }
        return hash;
    }

    private void lookAtFields(ByteCursor cursor, TableColumns columns) throws IOException {
        List<String> line = fields.readLine(cursor);
        cursor.skipLine();
        if (line == null || line.size() != columns.names().size()) {
            return;
        }
        try {
            long source = id(line.get(columns.source()));
            ends.add(source);
            ends.add(id(line.get(columns.target())));
        } catch (NumberFormatException none) {
            return; // the header, or a line about which whoever reads it complains
        }
        for (int i = 0; i < columns.properties().size(); i++) {
            strings.see(i, line.get(columns.properties().get(i)));
        }
    }

    private long id(String field) {
        if (!textIds) {
            return Long.parseUnsignedLong(field.strip());
        }
        byte[] text = field.getBytes(StandardCharsets.UTF_8);
        idBytes += text.length;
        return hash(text, text.length);
    }

    private Estimate estimate(long textBytes) {
        double scale = whole ? 1 : Math.max(1, (double) textBytes / Math.max(1, lineBytes));
        long edges = Math.round(lines * scale);
        long vertices = DistinctIds.estimate(ends.toLongArray(), scale, edges);
        long ofIds = ends.isEmpty() ? 0 : vertices * idBytes / ends.size();
        return new Estimate(vertices, edges, strings.bytes(scale) + ofIds);
    }
}
