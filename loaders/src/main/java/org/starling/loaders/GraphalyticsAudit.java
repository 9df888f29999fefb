package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * Finds out why a graph has not as many vertices as its vertex file has lines: an id stands there
 * twice, or an edge has an end that is not there. Both files have been read without complaint.
 * Slow, and keeps all ids in memory; only for complaints.
 */
final class GraphalyticsAudit {
    private final TextFile vertices;
    private final @Nullable TextFile edges;
    private final LongOpenHashSet known = new LongOpenHashSet();

    GraphalyticsAudit(TextFile vertices, @Nullable TextFile edges) {
        this.vertices = vertices;
        this.edges = edges;
    }

    /** Number of ids in a vertex file. */
    static long count(TextFile vertices) throws IOException {
        long count = 0;
        try (ByteCursor cursor = vertices.cursor()) {
            EdgeListReader.skipMark(cursor);
            while (cursor.peek() != ByteCursor.END) {
                if (!EdgeListReader.passIdleLine(cursor)) {
                    count++;
                    cursor.skipLine();
                }
            }
        }
        return count;
    }

    /** The complaint; null if nothing is wrong. */
    @Nullable InvalidInputException complaint() throws IOException {
        InvalidInputException twice = idTwice();
        return twice == null && edges != null ? unknownEnd(edges) : twice;
    }

    private @Nullable InvalidInputException idTwice() throws IOException {
        try (ByteCursor cursor = vertices.cursor()) {
            EdgeListReader.skipMark(cursor);
            while (cursor.peek() != ByteCursor.END) {
                if (!EdgeListReader.passIdleLine(cursor)) {
                    long line = cursor.offset();
                    cursor.readId();
                    if (!known.add(cursor.id())) {
                        return at(vertices, line, "vertex %s stands here again", cursor.id());
                    }
                    cursor.skipLine();
                }
            }
        }
        return null;
    }

    private @Nullable InvalidInputException unknownEnd(TextFile file) throws IOException {
        try (ByteCursor cursor = file.cursor()) {
            EdgeListReader.skipMark(cursor);
            while (cursor.peek() != ByteCursor.END) {
                if (!EdgeListReader.passIdleLine(cursor)) {
                    long line = cursor.offset();
                    for (int end = 0; end < 2; end++) {
                        cursor.skipBlanks();
                        cursor.readId();
                        if (!known.contains(cursor.id())) {
                            String what = "vertex %s does not stand in " + vertices.path();
                            return at(file, line, what, cursor.id());
                        }
                    }
                    cursor.skipLine();
                }
            }
        }
        return null;
    }

    private static InvalidInputException at(TextFile file, long line, String what, long id)
            throws IOException {
        return new InvalidInputException(
                "%s:%d: %s"
                        .formatted(
                                file.path(),
                                file.lineNumber(line),
                                what.formatted(Long.toUnsignedString(id))));
    }
}
