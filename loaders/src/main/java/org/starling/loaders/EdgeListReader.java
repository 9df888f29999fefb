package org.starling.loaders;

import java.io.IOException;
import org.starling.graph.EdgeSink;
import org.starling.graph.PartSummary;

/**
 * Reads one part of an edge list, byte by byte and without garbage. Confined to one thread.
 *
 * <p>The fast path only tells good lines from bad ones; {@link EdgeListComplaint} then looks again
 * and says what is wrong.
 */
final class EdgeListReader {

    private static final int[] BYTE_ORDER_MARK = {0xEF, 0xBB, 0xBF};

    private final TextFile text;
    private final EdgeListFormat format;
    private final WeightParser weights = new WeightParser();

    EdgeListReader(TextFile text, EdgeListFormat format) {
        this.text = text;
        this.format = format;
    }

    /** Reads all lines that begin in a part. */
    PartSummary read(int part, EdgeSink sink) throws IOException {
        long lines = 0;
        long edges = 0;
        long end = text.partEnd(part);
        try (ByteCursor cursor = text.cursorOnPart(part)) {
            if (cursor.offset() == 0) {
                skipMark(cursor);
            }
            while (cursor.offset() < end && cursor.peek() != ByteCursor.END) {
                if (!passIdleLine(cursor)) {
                    readEdge(cursor, sink);
                    edges++;
                }
                lines++;
            }
        }
        return new PartSummary(lines, 0, edges, 0);
    }

    /** Moves past a mark of UTF-8 at the beginning of the text. */
    static void skipMark(ByteCursor cursor) throws IOException {
        for (int mark : BYTE_ORDER_MARK) {
            if (cursor.peek() == mark) {
                cursor.advance();
            }
        }
    }

    /**
     * Moves past a line without data.
     *
     * @return false if the line has data; the cursor then stands on its first character that is no
     *     blank
     */
    static boolean passIdleLine(ByteCursor cursor) throws IOException {
        cursor.skipBlanks();
        int first = cursor.peek();
        if (first == '#' || first == '%' || cursor.atLineEnd()) {
            cursor.skipLine();
            return true;
        }
        return false;
    }

    private void readEdge(ByteCursor cursor, EdgeSink sink) throws IOException {
        long line = cursor.offset();
        if (!cursor.readId()) {
            throw complaint(line);
        }
        long source = cursor.id();
        if (!format.separator().pass(cursor) || !cursor.readId()) {
            throw complaint(line);
        }
        long target = cursor.id();
        if (!format.separator().endsField(cursor.peek())) {
            throw complaint(line);
        }
        float weight = 1f;
        if (format.weighted()) {
            weight = format.separator().pass(cursor) ? weights.parse(cursor) : Float.NaN;
            // Not a number fails the comparison, too.
            boolean valid = weight >= 0f && weight < Float.POSITIVE_INFINITY;
            if (!valid || !format.separator().endsField(cursor.peek())) {
                throw complaint(line);
            }
        }
        cursor.skipLine();
        sink.edge(source, target, weight);
    }

    private RuntimeException complaint(long line) throws IOException {
        return new EdgeListComplaint(text, format).about(line);
    }
}
