package org.starling.loaders;

import java.io.IOException;
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
    private final WeightParser weights = new WeightParser();

    /** Of the edge at hand, where a header says which field it is. */
    private float weight = 1f;

    EdgeListReader(TextFile text, EdgeListFormat format) {
        this.text = text;
        this.format = format;
    }

    /** Reads all lines that begin in a part. */
    PartSummary read(int part, EdgeSink sink) throws IOException {
        if (format.hasHeader()) {
            return readValued(part, sink);
        }
        IdReader ids = new IdReader(text, format.separator(), format.textIds(), sink);
        try (ByteCursor cursor = text.cursorOnPart(part)) {
            DataLines lines =
                    DataLines.read(cursor, text.partEnd(part), () -> readEdge(cursor, ids, sink));
            return new PartSummary(lines.all(), 0, lines.data(), 0);
        }
    }

    private PartSummary readValued(int part, EdgeSink sink) throws IOException {
        FieldReader fields = new FieldReader(format.separator());
        IdReader ids = new IdReader(text, format.separator(), format.textIds(), sink);
        PropertyValues values = new PropertyValues(format.columns().properties());
        try (ByteCursor cursor = text.cursorOnPart(part)) {
            long[] headers = {0};
            DataLines lines =
                    DataLines.read(
                            cursor,
                            text.partEnd(part),
                            () -> {
                                if (cursor.offset() == format.header()) {
                                    cursor.skipLine();
                                    headers[0]++;
                                } else {
                                    readValued(cursor, ids, fields, values, sink);
                                }
                            });
            return new PartSummary(lines.all(), 0, lines.data() - headers[0], 0);
        }
    }

    private void readValued(
            ByteCursor cursor,
            IdReader ids,
            FieldReader fields,
            PropertyValues values,
            EdgeSink sink)
            throws IOException {
        long line = cursor.offset();
        if (!ids.read(cursor, line)) {
            throw complaint(line);
        }
        long source = ids.id();
        if (!format.separator().pass(cursor) || !ids.read(cursor, line)) {
            throw complaint(line);
        }
        long target = ids.id();
        if (!format.separator().endsField(cursor.peek())) {
            throw complaint(line);
        }
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
        if (wrong != null) {
            throw new InvalidInputException(
                    "%s:%d: %s".formatted(text.path(), text.lineNumber(line), wrong));
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
        if (!ids.read(cursor, line)) {
            throw complaint(line);
        }
        long source = ids.id();
        if (!format.separator().pass(cursor) || !ids.read(cursor, line)) {
            throw complaint(line);
        }
        long target = ids.id();
        if (!format.separator().endsField(cursor.peek())) {
            throw complaint(line);
        }
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

    private RuntimeException complaint(long line) throws IOException {
        return new EdgeListComplaint(text, format).about(line);
    }
}
