package org.starling.loaders;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PartSummary;
import org.starling.graph.PropertyValues;

/**
 * Reads one part of an edge list, byte by byte and without garbage. Confined to one thread.
 *
 * <p>The fast path only tells good lines from bad ones; {@link EdgeListComplaint} then looks again
 * and says what is wrong.
 */
final class EdgeListReader {

    private final TextFile text;
    private final EdgeListFormat format;
    private final BadLines bad;
    private final WeightParser weights = new WeightParser();

    // Of the edge at hand; the weight where a header says which field it is.
    private long source;
    private long target;
    private float weight = 1f;

    EdgeListReader(TextFile text, EdgeListFormat format) {
        this(text, format, false);
    }

    /**
     * A reader.
     *
     * @param skips whether lines that make no sense are passed over and counted
     */
    EdgeListReader(TextFile text, EdgeListFormat format, boolean skips) {
        this.text = text;
        this.format = format;
        this.bad = new BadLines(skips);
    }

    /** Reads all lines that begin in a part. */
    PartSummary read(int part, EdgeSink sink) throws IOException {
        try (ByteCursor cursor = text.cursorOnPart(part)) {
            DataLines.Reader line = line(cursor, sink);
            long[] headers = {0};
            DataLines lines =
                    DataLines.read(
                            cursor,
                            text.partEnd(part),
                            format.commentsEnd(),
                            () -> {
                                long start = cursor.offset();
                                if (start == format.header()) {
                                    cursor.skipLine();
                                    headers[0]++;
                                } else if (bad.skips()) {
                                    readOrPass(line, cursor, start);
                                } else {
                                    line.read();
                                }
                            });
            return bad.summary(lines.all(), lines.data() - headers[0]);
        }
    }

    private void readOrPass(DataLines.Reader line, ByteCursor cursor, long start)
            throws IOException {
        try {
            line.read();
        } catch (InvalidInputException wrong) {
            if (!bad.pass(start)) {
                throw wrong;
            }
            cursor.skipLine();
        }
    }

    /** What is wrong with the line that begins there; null if nothing is. */
    @Nullable String explain(long offset) throws IOException {
        try (ByteCursor cursor = text.cursorAt(offset)) {
            cursor.skipBlanks();
            line(cursor, new Nowhere()).read();
            return null;
        } catch (InvalidInputException wrong) {
            return wrong.getMessage();
        }
    }

    private DataLines.Reader line(ByteCursor cursor, EdgeSink sink) {
        TableColumns columns = format.table();
        if (columns != null) {
            TableReader table =
                    new TableReader(text, format.separator(), columns, format.textIds());
            return () -> table.read(cursor, sink, bad.skips());
        }
        IdReader ids = new IdReader(text, format.separator(), format.textIds(), sink);
        if (format.valued()) {
            FieldReader fields = new FieldReader(format.separator());
            PropertyValues values = new PropertyValues(format.columns().properties());
            return () -> readValued(cursor, ids, fields, values, sink);
        }
        return () -> readEdge(cursor, ids, sink);
    }

    private void readValued(
            ByteCursor cursor,
            IdReader ids,
            FieldReader fields,
            PropertyValues values,
            EdgeSink sink)
            throws IOException {
        long line = cursor.offset();
        readEnds(cursor, ids, line);
        values.clear();
        weight = 1f;
        String wrong =
                PropertyFields.read(
                        cursor,
                        format.separator(),
                        fields,
                        format.columns(),
                        values,
                        this::takeWeight);
        if (wrong != null && bad.skips()) {
            throw BadLines.unsaid();
        }
        if (wrong != null) {
            throw text.complaint(line, wrong);
        }
        cursor.skipLine();
        sink.edge(source, target, weight, values);
    }

    private boolean takeWeight(String field) {
        if (!format.weighted()) {
            return true;
        }
        try {
            weight = Float.parseFloat(field);
        } catch (NumberFormatException none) {
            return false;
        }
        return weight >= 0f && weight < Float.POSITIVE_INFINITY;
    }

    private void readEdge(ByteCursor cursor, IdReader ids, EdgeSink sink) throws IOException {
        long line = cursor.offset();
        readEnds(cursor, ids, line);
        float read = 1f;
        if (format.weighted()) {
            read = format.separator().pass(cursor) ? weights.parse(cursor) : Float.NaN;
            // Not a number fails the comparison, too.
            boolean valid = read >= 0f && read < Float.POSITIVE_INFINITY;
            if (!valid || !format.separator().endsField(cursor.peek())) {
                throw complaint(line);
            }
        }
        cursor.skipLine();
        sink.edge(source, target, read);
    }

    /** Reads the ids of both ends of the edge at hand. */
    private void readEnds(ByteCursor cursor, IdReader ids, long line) throws IOException {
        if (!ids.read(cursor, line)) {
            throw complaint(line);
        }
        source = ids.id();
        if (!format.separator().pass(cursor) || !ids.read(cursor, line)) {
            throw complaint(line);
        }
        target = ids.id();
        if (!format.separator().endsField(cursor.peek())) {
            throw complaint(line);
        }
    }

    private RuntimeException complaint(long line) throws IOException {
        if (bad.skips()) {
            return BadLines.unsaid();
        }
        return new EdgeListComplaint(text, format).about(line);
    }
}
