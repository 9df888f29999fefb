package org.starling.loaders;

import java.io.IOException;
import org.starling.graph.InvalidInputException;

/**
 * The line of a DIMACS file that says what it holds: {@code p sp vertices arcs}, or {@code p edge
 * vertices edges}. Immutable.
 *
 * @param vertices number of vertices, from 1
 * @param entries number of lines of arcs or edges
 * @param arcs whether they are arcs {@code a source target weight}, and not {@code e one other}
 * @param line number of the header's line, from 1
 * @param offset where it begins
 */
record DimacsHeader(long vertices, long entries, boolean arcs, long line, long offset) {
    private static final String FORM =
            "a line \"p sp vertices arcs\" or \"p edge vertices edges\" before the first arc or"
                    + " edge";

    /** Bytes of the shortest entry: a letter, two digits, two blanks, a line's end. */
    private static final int SHORTEST_ENTRY_BYTES = 6;

    /**
     * Reads the header.
     *
     * @throws InvalidInputException if there is none, or it promises more than the file can hold
     */
    static DimacsHeader read(TextFile text) throws IOException {
        long offset;
        try (ByteCursor cursor = text.cursor()) {
            do {
                offset = cursor.offset();
                cursor.skipBlanks();
                if (cursor.peek() == 'p') {
                    break;
                }
                if (cursor.peek() != 'c' && !cursor.atLineEnd()) {
                    throw text.badHeader(text.lineNumber(offset), FORM, text.line(offset));
                }
            } while (cursor.skipLine());
            if (cursor.peek() != 'p') {
                throw new InvalidInputException(
                        "%s: expected %s, found only comments (fetch the file again)"
                                .formatted(text.path(), FORM));
            }
        }
        return parse(text, offset);
    }

    private static DimacsHeader parse(TextFile text, long offset) throws IOException {
        long number = text.lineNumber(offset);
        String line = text.line(offset);
        String[] fields = line.strip().split("[ \t]+", -1);
        boolean form =
                fields.length == 4
                        && fields[0].equals("p")
                        && fields[1].matches("sp|edge|col")
                        && fields[2].matches("[0-9]{1,18}")
                        && fields[3].matches("[0-9]{1,18}");
        if (!form) {
            throw text.badHeader(number, FORM, line);
        }
        long vertices = Long.parseLong(fields[2]);
        long entries = Long.parseLong(fields[3]);
        if (vertices < 1) {
            throw text.badHeader(number, "at least one vertex", fields[2]);
        }
        boolean arcs = fields[1].equals("sp");
        // Headers of edges may count each twice.
        long most = (arcs ? 1 : 2) * (text.maxTextBytes() / SHORTEST_ENTRY_BYTES + 1);
        if (entries > most) {
            throw text.badHeader(number, "a number of edges that fits the file's size", fields[3]);
        }
        return new DimacsHeader(vertices, entries, arcs, number, offset);
    }
}
