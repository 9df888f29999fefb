package org.starling.graph;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a text must be to be a vertex' original id: any text of 1 to {@value #MAX_BYTES} bytes in
 * UTF-8. Two are the same if their bytes are: nothing is normalised or cut off, so {@code 7} and
 * {@code 007} are two vertices, and so are a composed and a decomposed é. Their order is that of
 * their code points. Stateless.
 */
public final class TextId {
    /** The most bytes of an id: somewhat less than 64 KiB. */
    public static final int MAX_BYTES = (64 << 10) - 16;

    private static final int SHOWN_CHARACTERS = 40;

    private static final String NO_VERTEX = "-1";

    private TextId() {}

    /**
     * Checks an id.
     *
     * @param utf8 has the text
     * @param offset index of its first byte
     * @param length number of its bytes
     * @throws InvalidInputException with one sentence if it is none
     */
    public static void require(byte[] utf8, int offset, int length) {
        if (length == 0) {
            throw new InvalidInputException(
                    "expected a vertex id, found an empty text (give the vertex a name)");
        }
        if (length > MAX_BYTES) {
            throw new InvalidInputException(
                    "expected a vertex id of up to %d bytes, found one of %s (take shorter ids)"
                            .formatted(MAX_BYTES, length));
        }
        if (!isAscii(utf8, offset, length) && !isUtf8(utf8, offset, length)) {
            throw new InvalidInputException(
                    "expected a vertex id in UTF-8, found bytes that are none in \"%s\" (convert the file to UTF-8)"
                            .formatted(beginning(utf8, offset, length)));
        }
    }

    /**
     * Checks that an id can be written in UTF-8, for ids that people or programs name: half of a
     * pair of surrogates would be taken for a question mark.
     *
     * @throws InvalidInputException with one sentence if it can't
     */
    public static void requireWhole(String id) {
        for (int i = 0; i < id.length(); i++) {
            char unit = id.charAt(i);
            if (Character.isSurrogate(unit)) {
                boolean pair =
                        i + 1 < id.length() && Character.isSurrogatePair(unit, id.charAt(i + 1));
                if (!pair) {
                    throw new InvalidInputException(
                            "expected a vertex id, found a text with half of a character, \\u%04X, at %d (write both surrogates, or the character itself)"
                                    .formatted((int) unit, i));
                }
                i++;
            }
        }
    }

    /**
     * An id as a field of a line whose fields have blanks between them: as it is, or in quotation
     * marks, with those in it doubled, if it has a blank, a tab, a comma, a semicolon, a quotation
     * mark or the end of a line in it, begins like a comment, or is {@code -1}, which stands for no
     * vertex. What reads fields of one line does not find one with the end of a line in it.
     */
    public static String field(String id) {
        return id.startsWith("#")
                        || id.startsWith("%")
                        || id.equals(NO_VERTEX)
                        || id.chars().anyMatch(TextId::endsField)
                ? '"' + id.replace("\"", "\"\"") + '"'
                : id;
    }

    /** The ids of a line whose fields are as {@link #field} has them. */
    public static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        int at = 0;
        while (at < line.length()) {
            if (line.charAt(at) == ' ') {
                at++;
                continue;
            }
            boolean quoted = line.charAt(at) == '"';
            int end = quoted ? endOfQuoted(line, at) : line.indexOf(' ', at);
            end = end < 0 ? line.length() : end;
            String field = line.substring(at, end);
            fields.add(
                    quoted && field.length() > 1
                            ? field.substring(1, field.length() - 1).replace("\"\"", "\"")
                            : field);
            at = end;
        }
        return fields;
    }

    private static int endOfQuoted(String line, int from) {
        int at = from + 1;
        while (at < line.length()) {
            if (line.charAt(at) != '"') {
                at++;
            } else if (line.startsWith("\"\"", at)) {
                at += 2;
            } else {
                return at + 1;
            }
        }
        return -1;
    }

    private static boolean endsField(int character) {
        return character == ' '
                || character == '\t'
                || character == ','
                || character == ';'
                || character == '"'
                || character == '\n'
                || character == '\r';
    }

    private static boolean isAscii(byte[] utf8, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (utf8[i] < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUtf8(byte[] utf8, int offset, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8, offset, length));
            return true;
        } catch (CharacterCodingException none) {
            return false;
        }
    }

    private static String beginning(byte[] utf8, int offset, int length) {
        String text = new String(utf8, offset, length, StandardCharsets.UTF_8);
        return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "…";
    }
}
