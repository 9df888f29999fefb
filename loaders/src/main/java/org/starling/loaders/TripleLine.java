package org.starling.loaders;

import java.io.IOException;

/**
 * Reads lines of N-Triples, byte by byte: {@code subject predicate object .}, as "RDF 1.1
 * N-Triples" (W3C 2014) has them. Literals are passed over, however long they are. What is wrong
 * with a line is only noted: nobody may want to know. Used again and again; confined to one thread.
 */
final class TripleLine {
    private static final String NOT_CLOSED = "\">\" at the end of an IRI";
    private static final String TOO_LONG = "a term that is no longer than ids can be";
    private static final String NO_ESCAPE = "an escape: \\uXXXX, or \\UXXXXXXXX up to 10FFFF";
    private static final int MAX_CODE_POINT = Character.MAX_CODE_POINT;

    private final TripleTerm subject = new TripleTerm();
    private final TripleTerm predicate = new TripleTerm();
    private final TripleTerm object = new TripleTerm();
    private final byte[] blankPrefix;
    private boolean literal;
    private boolean dotPassed;
    private String expected = "";
    private long mistake;

    /**
     * A reader for one file.
     *
     * @param blankPrefix what labels of blank nodes get in front, which mean something in their
     *     file alone
     */
    TripleLine(byte[] blankPrefix) {
        this.blankPrefix = blankPrefix;
    }

    /**
     * Reads a line.
     *
     * @param cursor on its first byte that is no blank; afterwards, if the line is a triple, at its
     *     end
     * @return false if it is none: then {@link #expected} and {@link #mistake} say why
     */
    boolean read(ByteCursor cursor) throws IOException {
        literal = false;
        dotPassed = false;
        if (!readNode(cursor, subject, "a subject: <IRI> or _:label")) {
            return false;
        }
        cursor.skipBlanks();
        if (dotPassed || cursor.peek() != '<') {
            return wrong(cursor, "a predicate: <IRI>");
        }
        if (!readIri(cursor, predicate)) {
            return false;
        }
        cursor.skipBlanks();
        if (!readObject(cursor)) {
            return false;
        }
        cursor.skipBlanks();
        if (!dotPassed) {
            if (cursor.peek() != '.') {
                return wrong(cursor, "\".\" behind the object");
            }
            cursor.advance();
        }
        cursor.skipBlanks();
        if (cursor.peek() == '#') {
            return true;
        }
        if (cursor.peek() == '\r') {
            cursor.advance();
            if (cursor.peek() != '\n' && cursor.peek() != ByteCursor.END) {
                return wrong(cursor, "a line feed behind the carriage return");
            }
        }
        return cursor.atLineEnd() || wrong(cursor, "the end of the line behind \".\"");
    }

    private boolean readObject(ByteCursor cursor) throws IOException {
        if (cursor.peek() != '"') {
            return readNode(cursor, object, "an object: <IRI>, _:label or \"literal\"");
        }
        literal = true;
        return readLiteral(cursor);
    }

    private boolean readNode(ByteCursor cursor, TripleTerm term, String what) throws IOException {
        return switch (cursor.peek()) {
            case '<' -> readIri(cursor, term);
            case '_' -> readBlank(cursor, term);
            default -> wrong(cursor, what);
        };
    }

    private boolean readIri(ByteCursor cursor, TripleTerm term) throws IOException {
        long start = cursor.offset();
        term.clear();
        cursor.advance();
        while (cursor.peek() != '>') {
            int next = cursor.peek();
            boolean fits;
            if (next == '\\') {
                int character = readEscape(cursor, false);
                if (character < 0) {
                    return false;
                }
                fits = term.addCodePoint(character);
            } else {
                if (next <= ' ' || "<\"{}|^`".indexOf(next) >= 0) {
                    return wrong(
                            cursor,
                            cursor.atLineEnd() ? NOT_CLOSED : "a character that an IRI can have");
                }
                cursor.advance();
                fits = term.add(next);
            }
            if (!fits) {
                return wrong(start, TOO_LONG);
            }
        }
        cursor.advance();
        return term.hasScheme() || wrong(start, "an absolute IRI, such as <http://example.org/a>");
    }

    /** A dot at the end of a label is none of the label, but the end of the triple. */
    private boolean readBlank(ByteCursor cursor, TripleTerm term) throws IOException {
        long start = cursor.offset();
        term.clear();
        term.add('_');
        cursor.advance();
        if (cursor.peek() != ':') {
            return wrong(cursor, "\":\" behind \"_\"");
        }
        term.add(':');
        cursor.advance();
        for (byte one : blankPrefix) {
            term.add(one);
        }
        if (!isOfLabel(cursor.peek()) || cursor.peek() == '-') {
            return wrong(cursor, "a label: letters and digits");
        }
        int dots = 0;
        while (isOfLabel(cursor.peek()) || cursor.peek() == '.') {
            if (cursor.peek() == '.') {
                dots++;
            } else {
                for (; dots > 0; dots--) {
                    term.add('.');
                }
                if (!term.add(cursor.peek())) {
                    return wrong(start, TOO_LONG);
                }
            }
            cursor.advance();
        }
        if (dots > 1) {
            return wrong(cursor, "one dot at the end");
        }
        dotPassed = dots == 1;
        return true;
    }

    private static boolean isOfLabel(int character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || character == '_'
                || character == ':'
                || character == '-'
                || character > 0x7F;
    }

    private boolean readLiteral(ByteCursor cursor) throws IOException {
        cursor.advance();
        while (cursor.peek() != '"') {
            if (cursor.atLineEnd()) {
                return wrong(cursor, "a quotation mark at the end of a literal");
            }
            if (cursor.peek() != '\\') {
                cursor.advance();
            } else if (readEscape(cursor, true) < 0) {
                return false;
            }
        }
        cursor.advance();
        return switch (cursor.peek()) {
            case '@' -> readLanguage(cursor);
            case '^' -> {
                cursor.advance();
                if (cursor.peek() != '^') {
                    yield wrong(cursor, "\"^^\" before the type of a literal");
                }
                cursor.advance();
                yield cursor.peek() == '<'
                        ? readIri(cursor, object)
                        : wrong(cursor, "the type of a literal: <IRI>");
            }
            default -> true;
        };
    }

    private boolean readLanguage(ByteCursor cursor) throws IOException {
        boolean first = true;
        do {
            cursor.advance();
            int count = 0;
            while (isOfTag(cursor.peek(), first)) {
                cursor.advance();
                count++;
            }
            if (count == 0) {
                return wrong(cursor, "a language, such as \"en\" or \"de-CH\"");
            }
            first = false;
        } while (cursor.peek() == '-');
        return true;
    }

    private static boolean isOfTag(int character, boolean first) {
        int low = character | 0x20;
        return (low >= 'a' && low <= 'z') || (!first && character >= '0' && character <= '9');
    }

    /** Reads an escape; -1, and notes what is wrong, if it is none. */
    private int readEscape(ByteCursor cursor, boolean ofLiteral) throws IOException {
        long start = cursor.offset();
        cursor.advance();
        int kind = cursor.peek();
        int digits = kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
        if (digits == 0) {
            if (ofLiteral && kind > 0 && "tbnrf\"'\\".indexOf(kind) >= 0) {
                cursor.advance();
                return kind;
            }
            wrong(start, NO_ESCAPE);
            return -1;
        }
        cursor.advance();
        long value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = Character.digit(cursor.peek(), 16);
            if (digit < 0 || cursor.peek() > 'f') {
                wrong(start, NO_ESCAPE);
                return -1;
            }
            value = value * 16 + digit;
            cursor.advance();
        }
        boolean isSurrogate = value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE;
        if (value > MAX_CODE_POINT || isSurrogate) {
            wrong(start, isSurrogate ? "a whole character, not half of one" : NO_ESCAPE);
            return -1;
        }
        return (int) value;
    }

    private boolean wrong(ByteCursor cursor, String wanted) {
        return wrong(cursor.offset(), wanted);
    }

    private boolean wrong(long offset, String wanted) {
        mistake = offset;
        expected = wanted;
        return false;
    }

    /** The subject of the line that was read. */
    TripleTerm subject() {
        return subject;
    }

    /** Its predicate. */
    TripleTerm predicate() {
        return predicate;
    }

    /** Its object, if that is no literal. */
    TripleTerm object() {
        return object;
    }

    /** Whether its object is a literal. */
    boolean isLiteral() {
        return literal;
    }

    /** What should have stood where the mistake is. */
    String expected() {
        return expected;
    }

    /** Offset in the text at which the line makes no sense. */
    long mistake() {
        return mistake;
    }
}
