package org.starling.loaders;

import java.io.IOException;
import org.starling.graph.InvalidInputException;

/**
 * The first line of a METIS file: {@code vertices edges [fmt [ncon]]}. Immutable.
 *
 * @param vertices number of vertices, each with a line of its own
 * @param edges number of edges, each standing in two lines
 * @param leadingNumbers how many sizes and weights of the vertex come first in its line
 * @param weighted whether a weight follows each neighbour
 * @param line number of the header's line, from 1
 * @param bodyOffset offset of the line after the header
 */
record MetisHeader(
        long vertices,
        long edges,
        int leadingNumbers,
        boolean weighted,
        long line,
        long bodyOffset) {

    /** Largest number of weights a vertex may have. */
    private static final int MAX_CONSTRAINTS = 1 << 10;

    private static final int MAX_FIELDS = 4;

    /** Bytes of the shortest entry: a digit and a blank. */
    private static final int SHORTEST_ENTRY_BYTES = 2;

    /**
     * Reads the header.
     *
     * @throws InvalidInputException if there is none, or it promises more than the file can hold
     */
    static MetisHeader read(TextFile text) throws IOException {
        long offset;
        long body;
        try (ByteCursor cursor = text.cursor()) {
            if (!DataLines.findFirst(cursor)) {
                throw new InvalidInputException(
                        text.path() + ": there is no METIS header in the file (" + FORM + ")");
            }
            offset = cursor.offset();
            cursor.skipLine();
            body = cursor.offset();
        }
        MetisHeader header = parse(text, text.line(offset), text.lineNumber(offset), body);
        header.checkAgainstSize(text);
        return header;
    }

    private static final String FORM = "\"vertices edges [fmt [ncon]]\"";

    private static MetisHeader parse(TextFile text, String line, long number, long body) {
        String[] fields = line.strip().split("[ \t]+", -1);
        boolean numbers = fields.length >= 2 && fields.length <= MAX_FIELDS;
        for (String field : fields) {
            numbers &= field.matches("[0-9]{1,18}");
        }
        if (!numbers) {
            throw bad(text, number, "a header " + FORM, line);
        }
        String format = fields.length > 2 ? fields[2] : "0";
        if (!format.matches("0*[01]{1,3}")) {
            throw bad(text, number, "fmt of up to three digits 0 or 1 in the header", format);
        }
        int flags = Integer.parseInt(format, 2);
        long constraints = (flags & 2) == 0 ? 0 : 1;
        if (constraints > 0 && fields.length > 3) {
            constraints = Long.parseLong(fields[3]);
        }
        if (constraints > MAX_CONSTRAINTS) {
            throw bad(text, number, "ncon up to " + MAX_CONSTRAINTS, fields[3]);
        }
        return new MetisHeader(
                Long.parseLong(fields[0]),
                Long.parseLong(fields[1]),
                (int) constraints + ((flags & 4) == 0 ? 0 : 1),
                (flags & 1) != 0,
                number,
                body);
    }

    /** A header that promises more lines or entries than there are bytes is not believed. */
    private void checkAgainstSize(TextFile text) {
        long bytes = text.maxTextBytes() - bodyOffset + 1;
        if (vertices < 1 || vertices > bytes) {
            throw bad(text, line, "a number of vertices that fits the file's size", "" + vertices);
        }
        if (edges > bytes / (2 * SHORTEST_ENTRY_BYTES) + 1) {
            throw bad(text, line, "a number of edges that fits the file's size", "" + edges);
        }
    }

    private static InvalidInputException bad(
            TextFile text, long line, String expected, String found) {
        return new InvalidInputException(
                "%s:%d: expected %s, found %s (correct the header, or read the file as edgelist)"
                        .formatted(text.path(), line, expected, Quote.of(found)));
    }
}
