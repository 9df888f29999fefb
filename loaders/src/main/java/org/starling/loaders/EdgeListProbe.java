package org.starling.loaders;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** Finds out from an edge list's first line of data how to read it. Confined to one thread. */
final class EdgeListProbe {

    /** Parameter: whether the first line of data is a header. */
    static final String HEADER = "header";

    private final TextFile text;
    private final Parameters parameters;
    private final @Nullable Separator given;
    private final @Nullable Boolean weighted;
    private final boolean leavesOutWeights;
    private final boolean textIds;

    EdgeListProbe(TextFile text, Parameters parameters) {
        this.text = text;
        this.parameters = parameters;
        this.given =
                parameters.has("separator") ? Separator.named(parameters.text("separator")) : null;
        this.textIds = SourceOptions.hasTextIds(parameters);
        this.leavesOutWeights = SourceOptions.leavesOutWeights(parameters);
        this.weighted =
                leavesOutWeights
                        ? Boolean.FALSE
                        : parameters.has("weighted") ? parameters.flag("weighted") : null;
    }

    /**
     * The format: what was given, completed by what the first line of data shows.
     *
     * @throws InvalidInputException if there is no line of data or it is no edge
     */
    EdgeListFormat format() throws IOException {
        long line;
        try (ByteCursor cursor = text.cursor()) {
            if (!DataLines.findFirst(cursor)) {
                throw new InvalidInputException(
                        text.path()
                                + ": there is no edge in the file, only comments and empty lines");
            }
            line = cursor.offset();
        }
        EdgeListFormat byHeader = headed(line);
        if (byHeader != null) {
            return byHeader;
        }
        Separator separator = given != null ? given : textIds ? ofTexts(line) : detect(line);
        boolean third = weighted != null ? weighted : hasNumberInThirdField(line, separator);
        return new EdgeListFormat(
                separator,
                third,
                -1,
                false,
                PropertyColumns.NONE,
                null,
                textIds,
                commentsEnd(line));
    }

    /** The format that a header tells; null if the line is none. */
    private @Nullable EdgeListFormat headed(long line) throws IOException {
        boolean named =
                parameters.has(TableColumns.SOURCE)
                        || parameters.has(TableColumns.TARGET)
                        || parameters.has(TableColumns.COLUMNS);
        boolean certain = named || parameters.flag(HEADER);
        if (!certain && parameters.has(HEADER)) {
            return null;
        }
        Separator first = given != null ? given : Separator.ofHeader(text, line);
        List<String> fields = header(line, first);
        boolean renames = named || (parameters.has(SourceOptions.WEIGHT) && !leavesOutWeights);
        if (fields != null && !renames && areTyped(fields)) {
            String where = text.where(line);
            PropertyColumns columns =
                    PropertyColumns.of(where, fields.subList(2, fields.size()), true);
            return new EdgeListFormat(
                    first,
                    columns.weight() >= 0 && !leavesOutWeights,
                    line,
                    true,
                    columns,
                    null,
                    textIds,
                    commentsEnd(line));
        }
        Separator separator = given != null ? given : Separator.ofColumns(text, line);
        List<String> names;
        try (ByteCursor cursor = text.cursorAt(line)) {
            names = new FieldReader(separator).readLine(cursor);
        }
        if (names != null) {
            names = Neo4jHeader.ofEdges(text.where(line), names);
        }
        if (names == null || (!certain && !TableColumns.isHeader(names, parameters))) {
            if (certain) {
                throw text.complaint(
                        line,
                        "expected a header, found %s (say \"header\": false if there is none)"
                                .formatted(Quote.of(text.line(line))));
            }
            return null;
        }
        TableColumns table = TableColumns.of(text, separator, names, line, parameters);
        return new EdgeListFormat(
                separator,
                table.weight() >= 0,
                line,
                true,
                table.columns(),
                table,
                textIds,
                commentsEnd(line));
    }

    private long commentsEnd(long firstData) {
        return textIds ? firstData : Long.MAX_VALUE;
    }

    /** Whether every column behind the ids says its type, as the weight need not. */
    private static boolean areTyped(List<String> fields) {
        return fields.stream()
                .skip(2)
                .allMatch(field -> field.indexOf(':') >= 0 || field.strip().equals("weight"));
    }

    /** The fields of a header that begins with source and target; null if that is none. */
    private @Nullable List<String> header(long line, Separator separator) throws IOException {
        try (ByteCursor cursor = text.cursorAt(line)) {
            List<String> fields = new FieldReader(separator).readLine(cursor);
            boolean found =
                    fields != null
                            && fields.size() >= 2
                            && fields.get(0).equals("source")
                            && fields.get(1).equals("target");
            return found ? fields : null;
        }
    }

    private Separator detect(long line) throws IOException {
        try (ByteCursor cursor = text.cursorAt(line)) {
            Separator found = cursor.readId() ? Separator.detect(cursor) : null;
            if (found == null) {
                throw new EdgeListComplaint(text, new EdgeListFormat(Separator.BLANKS, false))
                        .about(line);
            }
            return found;
        }
    }

    /** The first of the usual separators that is in a line, outside of quotation marks. */
    private Separator ofTexts(long line) throws IOException {
        for (String name : List.of("tab", "comma", "semicolon")) {
            Separator separator = Separator.named(name);
            FieldReader fields = new FieldReader(separator);
            try (ByteCursor cursor = text.cursorAt(line)) {
                int length = fields.readBytes(cursor);
                if (length > 0
                        && separator.pass(cursor)
                        && !opensQuotation(fields.bytes(), length)) {
                    return separator;
                }
            }
        }
        return Separator.BLANKS;
    }

    /** Whether a quotation begins behind a blank and does not end: then more belongs to it. */
    private static boolean opensQuotation(byte[] field, int length) {
        boolean open = false;
        boolean begun = false;
        for (int i = 1; i < length; i++) {
            begun |= field[i] == '"' && field[i - 1] == ' ';
            open ^= begun && field[i] == '"';
        }
        return open;
    }

    private boolean hasNumberInThirdField(long line, Separator separator) throws IOException {
        FieldReader fields = new FieldReader(separator);
        try (ByteCursor cursor = text.cursorAt(line)) {
            return isId(cursor, fields)
                    && separator.pass(cursor)
                    && isId(cursor, fields)
                    && separator.pass(cursor)
                    && !Float.isNaN(new WeightParser().parse(cursor));
        }
    }

    private boolean isId(ByteCursor cursor, FieldReader fields) throws IOException {
        return textIds ? fields.readBytes(cursor) > 0 : cursor.readId();
    }
}
