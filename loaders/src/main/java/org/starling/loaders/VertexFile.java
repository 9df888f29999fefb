package org.starling.loaders;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.PropertyValues;

/**
 * A file of vertices with their properties: a header {@code id,age:int,score:double}, then a line
 * for each vertex. Empty lines and those that begin with {@code #} or {@code %} are skipped; the
 * latter only before the header if ids are texts, as some begin so. Immutable; several threads read
 * different parts at the same time.
 */
final class VertexFile {
    private static final String HEADER = "id,age:int,score:double";

    private final TextFile text;
    private final Separator separator;
    private final PropertyColumns columns;
    private final long header;
    private final Likely likely;
    private final boolean textIds;

    /** What a file probably holds. */
    private record Likely(long lines, long stringBytes) {}

    private VertexFile(
            TextFile text,
            Separator separator,
            PropertyColumns columns,
            long header,
            Likely likely,
            boolean textIds) {
        this.text = text;
        this.separator = separator;
        this.columns = columns;
        this.header = header;
        this.likely = likely;
        this.textIds = textIds;
    }

    /**
     * Looks at a file.
     *
     * @param parameters {@code file}, {@code partBytes} as {@link TextFile} has them; {@code
     *     separator} if it is not to be taken from the header; {@code ids} as {@link
     *     EdgeListProvider} has them
     * @throws InvalidInputException if there is no such file, or its header is none
     */
    static VertexFile open(Parameters parameters) throws IOException {
        TextFile text = TextFile.open(parameters);
        try (ByteCursor cursor = text.cursor()) {
            if (!DataLines.findFirst(cursor)) {
                throw new InvalidInputException(
                        "%s: there is no line in the file; begin it with a header, as %s"
                                .formatted(text.path(), HEADER));
            }
            long header = cursor.offset();
            String where = text.where(header);
            Separator separator =
                    parameters.has("separator")
                            ? Separator.named(parameters.text("separator"))
                            : text.line(header).contains(":ID")
                                    ? Separator.ofColumns(text, header)
                                    : Separator.ofHeader(text, header);
            List<String> read = new FieldReader(separator).readLine(cursor);
            List<String> fields = read == null ? null : Neo4jHeader.ofVertices(read);
            boolean textIds = SourceOptions.hasTextIds(parameters);
            String type = textIds ? "string" : "long";
            if (fields == null
                    || !fields.get(0).strip().matches("id(\\s*:\\s*%s)?".formatted(type))) {
                throw new InvalidInputException(
                        "%s: expected a header that begins with id, as %s, found %s"
                                .formatted(where, HEADER, Quote.of(text.line(header))));
            }
            PropertyColumns columns =
                    PropertyColumns.of(where, fields.subList(1, fields.size()), false);
            return new VertexFile(
                    text,
                    separator,
                    columns,
                    header,
                    likely(text, separator, columns, textIds, header),
                    textIds);
        }
    }

    private static Likely likely(
            TextFile text,
            Separator separator,
            PropertyColumns columns,
            boolean textIds,
            long header)
            throws IOException {
        long sampled;
        long lines;
        long[] idBytes = {0};
        FieldReader ids = new FieldReader(separator);
        StringSample strings = new StringSample(columns, separator);
        try (ByteCursor cursor = text.cursor()) {
            lines =
                    DataLines.read(
                                    cursor,
                                    EdgeListSample.WINDOW_BYTES,
                                    textIds ? header : Long.MAX_VALUE,
                                    () -> {
                                        int length = textIds ? ids.readBytes(cursor) : 0;
                                        if (length > 0 || (!textIds && cursor.readId())) {
                                            idBytes[0] += length;
                                            strings.look(cursor);
                                        }
                                        cursor.skipLine();
                                    })
                            .data();
            sampled = Math.max(1, cursor.offset());
        }
        double scale = Math.max(1, (double) text.likelyTextBytes(sampled) / sampled);
        return new Likely(
                Math.max(1, (long) (scale * lines)),
                strings.bytes(scale) + (long) (scale * idBytes[0]));
    }

    /** Where it is. */
    Path path() {
        return text.path();
    }

    /** Number of parts. */
    int parts() {
        return text.parts();
    }

    /** About how many vertices there are. */
    long likelyVertices() {
        return likely.lines;
    }

    /** About how many bytes its different strings take, ids that are texts among them. */
    long likelyStringBytes() {
        return likely.stringBytes;
    }

    /** What it says of vertices. */
    List<Property> properties() {
        return columns.properties();
    }

    /** Reads all lines that begin in a part. */
    PartSummary read(int part, EdgeSink sink) throws IOException {
        FieldReader fields = new FieldReader(separator);
        IdReader ids = new IdReader(text, separator, textIds, sink);
        PropertyValues values = new PropertyValues(columns.properties());
        try (ByteCursor cursor = text.cursorOnPart(part)) {
            DataLines lines =
                    DataLines.read(
                            cursor,
                            text.partEnd(part),
                            textIds ? header : Long.MAX_VALUE,
                            () -> {
                                if (cursor.offset() != header) {
                                    read(cursor, ids, fields, values, sink);
                                } else {
                                    cursor.skipLine();
                                }
                            });
            return new PartSummary(lines.all(), lines.data(), 0, 0);
        }
    }

    private void read(
            ByteCursor cursor,
            IdReader ids,
            FieldReader fields,
            PropertyValues values,
            EdgeSink sink)
            throws IOException {
        long line = cursor.offset();
        if (!ids.read(cursor, line) || !separator.endsField(cursor.peek())) {
            throw text.complaint(line, "expected a vertex id, found " + Quote.of(text.line(line)));
        }
        long id = ids.id();
        values.clear();
        String wrong = PropertyFields.read(cursor, separator, fields, columns, values, null);
        if (wrong != null) {
            throw text.complaint(line, wrong);
        }
        cursor.skipLine();
        sink.vertex(id, values);
    }
}
