package org.starling.loaders;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starling.graph.InvalidInputException;

/** The words of a GML file. Confined to one thread; owns its cursor. */
final class GmlTokens implements Closeable {
    private static final int MAX_CHARACTERS = 1 << 16;
    private static final Pattern ENTITY = Pattern.compile("&(#\\d{1,7}|quot|amp|lt|gt|apos);");

    private final TextFile text;
    private final ByteCursor cursor;
    private Kind kind = Kind.END;
    private String word = "";
    private long offset;

    GmlTokens(TextFile text) throws IOException {
        this.text = text;
        this.cursor = text.cursor();
    }

    /** What a word is. */
    enum Kind {
        /** A key. */
        KEY,
        /** Anything unquoted that is no key: a number. */
        NUMBER,
        /** What stood in quotation marks, without them. */
        STRING,
        /** An opening bracket. */
        OPEN,
        /** A closing bracket. */
        CLOSE,
        /** Nothing more. */
        END
    }

    /** Reads the next word. */
    Kind next() throws IOException {
        passIdle();
        offset = cursor.offset();
        int first = cursor.peek();
        switch (first) {
            case ByteCursor.END -> kind = Kind.END;
            case '[' -> {
                cursor.advance();
                kind = Kind.OPEN;
            }
            case ']' -> {
                cursor.advance();
                kind = Kind.CLOSE;
            }
            case '"' -> {
                cursor.advance();
                word = quoted();
                kind = Kind.STRING;
            }
            default -> {
                word = plain();
                kind = Character.isLetter(first) || first == '_' ? Kind.KEY : Kind.NUMBER;
            }
        }
        return kind;
    }

    Kind kind() {
        return kind;
    }

    String word() {
        return word;
    }

    /** Where the word begins. */
    long offset() {
        return offset;
    }

    /** File and line of an offset. */
    String place(long at) throws IOException {
        return text.where(at);
    }

    /** Says what was expected instead of the word. */
    InvalidInputException complaint(String expected) throws IOException {
        String found =
                switch (kind) {
                    case END -> "the end of the file";
                    case OPEN -> "[";
                    case CLOSE -> "]";
                    case KEY, NUMBER, STRING -> Quote.of(word);
                };
        return new InvalidInputException(
                "%s: expected %s, found %s".formatted(place(offset), expected, found));
    }

    @Override
    public void close() throws IOException {
        cursor.close();
    }

    private void passIdle() throws IOException {
        while (true) {
            int next = cursor.peek();
            if (next == '#') {
                cursor.skipLine();
            } else if (next == ' ' || next == '\t' || next == '\n' || next == '\r') {
                cursor.advance();
            } else {
                return;
            }
        }
    }

    private String quoted() throws IOException {
        StringBuilder characters = new StringBuilder();
        while (cursor.peek() != '"') {
            if (cursor.peek() == ByteCursor.END || characters.length() == MAX_CHARACTERS) {
                throw new InvalidInputException(
                        "%s: a text has no second quotation mark within %d characters (add it)"
                                .formatted(place(offset), MAX_CHARACTERS));
            }
            characters.append((char) cursor.peek());
            cursor.advance();
        }
        cursor.advance();
        return decoded(unicode(characters.toString()));
    }

    /** Bytes as text: UTF-8, as many programs write it, and otherwise Latin-1, as GML wants it. */
    private static String unicode(String bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException latin) {
            return bytes;
        }
    }

    private String plain() throws IOException {
        StringBuilder characters = new StringBuilder();
        while (!endsWord(cursor.peek())) {
            if (characters.length() == MAX_CHARACTERS) {
                throw new InvalidInputException(
                        "%s: a word is longer than %d characters"
                                .formatted(place(offset), MAX_CHARACTERS));
            }
            characters.append((char) cursor.peek());
            cursor.advance();
        }
        return characters.toString();
    }

    private static boolean endsWord(int next) {
        return next == ByteCursor.END
                || next == ' '
                || next == '\t'
                || next == '\n'
                || next == '\r'
                || next == '['
                || next == ']'
                || next == '"';
    }

    private static String decoded(String raw) {
        if (raw.indexOf('&') < 0) {
            return raw;
        }
        return ENTITY.matcher(raw)
                .replaceAll(found -> Matcher.quoteReplacement(meaning(found.group(1))));
    }

    private static String meaning(String entity) {
        return switch (entity) {
            case "quot" -> "\"";
            case "amp" -> "&";
            case "lt" -> "<";
            case "gt" -> ">";
            case "apos" -> "'";
            default -> {
                int code = Integer.parseInt(entity.substring(1));
                yield Character.isValidCodePoint(code)
                        ? Character.toString(code)
                        : "&" + entity + ";";
            }
        };
    }
}
