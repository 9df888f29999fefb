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

    private final TextFile text;
    private final EdgeListFormat format;
    private final WeightParser weights = new WeightParser();

    EdgeListReader(TextFile text, EdgeListFormat format) {
        this.text = text;
        this.format = format;
    }

    /** Reads all lines that begin in a part. */
    PartSummary read(int part, EdgeSink sink) throws IOException {
        try (ByteCursor cursor = text.cursorOnPart(part)) {
            DataLines lines =
                    DataLines.read(cursor, text.partEnd(part), () -> readEdge(cursor, sink));
            return new PartSummary(lines.all(), 0, lines.data(), 0);
        }
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
