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
        try (ByteCursor cursor = vertices.cursor()) {
            return DataLines.read(cursor, Long.MAX_VALUE, cursor::skipLine).data();
        }
    }

    /**
     * Looks for the reason.
     *
     * @throws InvalidInputException with file and line, if there is one
     */
    void require() throws IOException {
        try (ByteCursor cursor = vertices.cursor()) {
            DataLines.read(cursor, Long.MAX_VALUE, () -> requireOnce(cursor));
        }
        if (edges != null) {
            try (ByteCursor cursor = edges.cursor()) {
                DataLines.read(cursor, Long.MAX_VALUE, () -> requireKnown(edges, cursor));
            }
        }
    }

    private void requireOnce(ByteCursor cursor) throws IOException {
        long line = cursor.offset();
        cursor.readId();
        if (!known.add(cursor.id())) {
            throw complaint(vertices, line, cursor.id(), "stands here again");
        }
        cursor.skipLine();
    }

    private void requireKnown(TextFile file, ByteCursor cursor) throws IOException {
        long line = cursor.offset();
        for (int end = 0; end < 2; end++) {
            cursor.skipBlanks();
            cursor.readId();
            if (!known.contains(cursor.id())) {
                String what = "does not stand in " + vertices.path();
                throw complaint(file, line, cursor.id(), what);
            }
        }
        cursor.skipLine();
    }

    private static InvalidInputException complaint(TextFile file, long line, long id, String what)
            throws IOException {
        return file.complaint(line, "vertex %s %s".formatted(Long.toUnsignedString(id), what));
    }
}
