package org.starling.loaders;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLongArray;
import org.starling.graph.InvalidInputException;

/**
 * Reads parts of a METIS file. Safe for use by several threads.
 *
 * <p>Which vertex a part begins with follows from the number of vertex lines before it. Those of a
 * part are counted by whoever needs them first, at the speed of a search for newlines, and kept.
 */
final class MetisReader {

    private static final long UNKNOWN = -1;

    private final TextFile text;
    private final MetisHeader header;
    // Number of vertex lines that begin in each part; UNKNOWN until counted. Counting twice gives
    // the same number, so that no lock is needed.
    private final AtomicLongArray vertexLines;

    MetisReader(TextFile text, MetisHeader header) {
        this.text = text;
        this.header = header;
        this.vertexLines = new AtomicLongArray(text.parts());
        for (int part = 0; part < text.parts(); part++) {
            vertexLines.set(part, UNKNOWN);
        }
    }

    /** What a part held: lines of any kind, and vertices. */
    record Lines(long all, long vertices) {}

    /** Reads all lines of the body that begin in a part. */
    Lines read(int part, MetisEntries entries) throws IOException {
        WeightParser weights = new WeightParser();
        long all = 0;
        long vertices = 0;
        long before = verticesBefore(part);
        long end = text.partEnd(part);
        try (ByteCursor cursor = cursorOnBody(part)) {
            while (cursor.offset() < end && cursor.peek() != ByteCursor.END) {
                all++;
                if (cursor.peek() != '%') {
                    long vertex = before + vertices + 1;
                    if (vertex <= header.vertices()) {
                        readVertex(cursor, vertex, weights, entries);
                        vertices++;
                    } else {
                        checkIdle(cursor);
                    }
                }
                cursor.skipLine();
            }
        }
        return new Lines(all, vertices);
    }

    /** Number of the line, from 1, that belongs to a vertex. */
    long lineOf(long vertex) throws IOException {
        try (ByteCursor cursor = text.cursor()) {
            skipTo(cursor, header.bodyOffset());
            long line = header.line() + 1;
            long left = vertex - 1;
            while (left > 0 || cursor.peek() == '%') {
                left -= cursor.peek() == '%' ? 0 : 1;
                cursor.skipLine();
                line++;
            }
            return line;
        }
    }

    private void readVertex(
            ByteCursor cursor, long vertex, WeightParser weights, MetisEntries entries)
            throws IOException {
        cursor.skipBlanks();
        for (int k = 0; k < header.leadingNumbers(); k++) {
            long at = cursor.offset();
            if (Float.isNaN(weights.parse(cursor)) || !endsField(cursor)) {
                throw complaint(at, "a size or weight of the vertex, as the header's fmt says");
            }
            cursor.skipBlanks();
        }
        while (!cursor.atLineEnd()) {
            long at = cursor.offset();
            long neighbour = cursor.unsignedLong();
            if (neighbour < 1 || neighbour > header.vertices() || !endsField(cursor)) {
                throw complaint(at, "a neighbour from 1 to " + header.vertices());
            }
            cursor.skipBlanks();
            float weight = header.weighted() ? weight(cursor, weights) : 1f;
            entries.entry(vertex, neighbour, weight);
        }
    }

    private float weight(ByteCursor cursor, WeightParser weights) throws IOException {
        long at = cursor.offset();
        float weight = weights.parse(cursor);
        // Not a number fails the comparison, too.
        boolean valid = weight > 0f && weight < Float.POSITIVE_INFINITY;
        if (!valid || !endsField(cursor)) {
            throw complaint(at, "a weight greater than 0 after the neighbour, as fmt 1 says");
        }
        cursor.skipBlanks();
        return weight;
    }

    private void checkIdle(ByteCursor cursor) throws IOException {
        cursor.skipBlanks();
        if (!cursor.atLineEnd()) {
            throw complaint(
                    cursor.offset(),
                    "no more lines, since the header says " + header.vertices() + " vertices");
        }
    }

    private long verticesBefore(int part) throws IOException {
        long vertices = 0;
        for (int earlier = 0; earlier < part; earlier++) {
            if (vertexLines.get(earlier) == UNKNOWN) {
                vertexLines.set(earlier, countVertexLines(earlier));
            }
            vertices += vertexLines.get(earlier);
        }
        return vertices;
    }

    private long countVertexLines(int part) throws IOException {
        long end = text.partEnd(part);
        long count = 0;
        try (ByteCursor cursor = cursorOnBody(part)) {
            while (cursor.offset() < end && cursor.peek() != ByteCursor.END) {
                count += cursor.peek() == '%' ? 0 : 1;
                cursor.skipLine();
            }
        }
        return count;
    }

    private ByteCursor cursorOnBody(int part) throws IOException {
        ByteCursor cursor = text.cursorOnPart(part);
        skipTo(cursor, header.bodyOffset());
        return cursor;
    }

    private static void skipTo(ByteCursor cursor, long offset) throws IOException {
        while (cursor.offset() < offset && cursor.peek() != ByteCursor.END) {
            cursor.skipLine();
        }
    }

    private static boolean endsField(ByteCursor cursor) throws IOException {
        return cursor.peek() == ' ' || cursor.peek() == '\t' || cursor.atLineEnd();
    }

    private InvalidInputException complaint(long offset, String expected) throws IOException {
        String rest = text.line(offset).strip();
        String found =
                rest.isEmpty() ? "the end of the line" : Quote.of(rest.split("[ \t]", -1)[0]);
        return text.complaint(
                offset,
                "expected %s, found %s (correct the line or the header)"
                        .formatted(expected, found));
    }
}
