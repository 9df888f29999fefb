package org.starling.loaders;

import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * What stands between the fields of an edge list's lines. Immutable.
 *
 * <p>{@link #BLANKS} is any run of blanks and tabs. Any other separator is one character, with
 * blanks around it allowed.
 *
 * @param symbol the character; a blank means a run of blanks and tabs
 */
record Separator(char symbol) {

    /** Any run of blanks and tabs. */
    static final Separator BLANKS = new Separator(' ');

    /** One tab. */
    static final Separator TAB = new Separator('\t');

    private static final String COLUMN_SEPARATORS = "\t,;|";

    /** Tried, in this order, to guess what a user meant. */
    private static final String USUAL = "\t;,|:/";

    /**
     * The separator that a user has named: one character, or {@code tab}, {@code blank}, {@code
     * comma} or {@code semicolon}.
     *
     * @throws InvalidInputException if it is none
     */
    static Separator named(String name) {
        return switch (name) {
            case "tab" -> TAB;
            case "blank", "space" -> BLANKS;
            case "comma" -> new Separator(',');
            case "semicolon" -> new Separator(';');
            default -> {
                if (name.length() != 1 || !canSeparate(name.charAt(0))) {
                    throw new InvalidInputException(
                            ("\"separator\" must be one character that is no letter, digit, point"
                                            + " or sign, or tab, blank, comma or semicolon; found"
                                            + " \"%s\"")
                                    .formatted(name));
                }
                yield new Separator(name.charAt(0));
            }
        };
    }

    /**
     * The separator after the first field of a line.
     *
     * @param cursor on the first byte after the field; somewhere in the separator afterwards
     * @return null if nothing follows that could be one
     */
    static @Nullable Separator detect(ByteCursor cursor) throws IOException {
        boolean blanks = cursor.skip(' ') > 0;
        boolean tabs = cursor.skip('\t') > 0;
        cursor.skipBlanks();
        if (cursor.atLineEnd()) {
            return null;
        }
        char next = (char) cursor.peek();
        if (canSeparate(next)) {
            return new Separator(next);
        }
        if (tabs) {
            return TAB;
        }
        return blanks ? BLANKS : null;
    }

    /**
     * The separator of a header, whose first field is a word; comma if it has one field alone.
     *
     * @param offset where the header begins
     */
    static Separator ofHeader(TextFile text, long offset) throws IOException {
        try (ByteCursor cursor = text.cursor()) {
            while (cursor.offset() < offset) {
                cursor.peek();
                cursor.advance();
            }
            while (Character.isLetterOrDigit(cursor.peek())) {
                cursor.advance();
            }
            if (cursor.peek() == ':') { // between a name and its type
                cursor.advance();
                while (Character.isLetterOrDigit(cursor.peek())) {
                    cursor.advance();
                }
            }
            Separator found = detect(cursor);
            return found == null ? new Separator(',') : found;
        }
    }

    /**
     * The separator of a header whose columns have any names: the first of tab, comma, semicolon
     * and bar that stands in it outside of quotation marks; otherwise blanks.
     *
     * @param offset where the header begins
     */
    static Separator ofColumns(TextFile text, long offset) throws IOException {
        String seen = "";
        try (ByteCursor cursor = text.cursorAt(offset)) {
            boolean quoted = false;
            for (int i = 0; i < FieldReader.MAX_BYTES && !cursor.atLineEnd(); i++) {
                char next = (char) cursor.peek();
                quoted ^= next == '"';
                if (!quoted && COLUMN_SEPARATORS.indexOf(next) >= 0 && seen.indexOf(next) < 0) {
                    seen += next;
                }
                cursor.advance();
            }
        }
        for (int i = 0; i < COLUMN_SEPARATORS.length(); i++) {
            if (seen.indexOf(COLUMN_SEPARATORS.charAt(i)) >= 0) {
                return new Separator(COLUMN_SEPARATORS.charAt(i));
            }
        }
        return BLANKS;
    }

    /** A separator other than this one that occurs in {@code line}, or null. */
    @Nullable Separator otherIn(String line) {
        for (int k = 0; k < USUAL.length(); k++) {
            char candidate = USUAL.charAt(k);
            boolean covered = candidate == symbol || (candidate == '\t' && symbol == ' ');
            if (!covered && line.indexOf(candidate) >= 0) {
                return new Separator(candidate);
            }
        }
        return symbol != ' ' && line.strip().indexOf(' ') >= 0 ? BLANKS : null;
    }

    /** Moves past the separator; false if there is none. */
    boolean pass(ByteCursor cursor) throws IOException {
        if (symbol == ' ') {
            return cursor.skipBlanks() > 0;
        }
        skipAround(cursor);
        if (cursor.peek() != symbol) {
            return false;
        }
        cursor.advance();
        skipAround(cursor);
        return true;
    }

    /** True if a field ends before {@code next}. */
    boolean endsField(int next) {
        return next == symbol
                || next == ' '
                || next == '\t'
                || next == '\n'
                || next == '\r'
                || next == ByteCursor.END;
    }

    /** The fields of a line. */
    String[] split(String line) {
        return symbol == ' '
                ? line.strip().split("[ \t]+", -1)
                : line.split(Pattern.quote(String.valueOf(symbol)), -1);
    }

    /** How a user writes it. */
    String written() {
        return symbol == '\t' ? "tab" : String.valueOf(symbol);
    }

    /** What to call it in a sentence. */
    @Override
    public String toString() {
        return switch (symbol) {
            case '\t' -> "tab";
            case ' ' -> "blanks";
            case ',' -> "comma";
            case ';' -> "semicolon";
            default -> "\"" + symbol + "\"";
        };
    }

    private void skipAround(ByteCursor cursor) throws IOException {
        if (symbol == '\t') {
            cursor.skip(' ');
        } else {
            cursor.skipBlanks();
        }
    }

    private static boolean canSeparate(char character) {
        return !Character.isLetterOrDigit(character)
                && character != '.'
                && character != '-'
                && character != '+'
                && character != '"'
                && character != '\n'
                && character != '\r'
                && character < 128;
    }
}
