package org.starling.loaders;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of lines, whatever they hold. A field in quotation marks may hold the separator,
 * and quotation marks written twice; it ends on its line. Confined to one thread.
 */
final class FieldReader {
    /** Longest field, in bytes. */
    static final int MAX_BYTES = 64 << 10;

    /** Instead of a length: the field is too long, or lacks its second quotation mark. */
    static final int NO_FIELD = -1;

    private static final char QUOTE = '"';

    private final Separator separator;
    private byte[] bytes = new byte[256];

    FieldReader(Separator separator) {
        this.separator = separator;
    }

    /**
     * Reads a field.
     *
     * @param cursor on its first byte; afterwards behind it, before a separator or the line's end
     * @return null if it is too long, or a quotation mark is missing
     */
    @Nullable String read(ByteCursor cursor) throws IOException {
        int length = readBytes(cursor);
        return length == NO_FIELD ? null : new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /**
     * Reads a field that {@link #bytes} then holds.
     *
     * @param cursor as for {@link #read}
     * @return how many bytes it has; {@link #NO_FIELD} if it is none
     */
    int readBytes(ByteCursor cursor) throws IOException {
        return cursor.peek() == QUOTE ? readQuoted(cursor) : readPlain(cursor);
    }

    /** The bytes of the field that was read last, and undefined ones behind them. */
    byte[] bytes() {
        return bytes;
    }

    /** The fields of the rest of a line; null if one of them is none. */
    @Nullable List<String> readLine(ByteCursor cursor) throws IOException {
        List<String> fields = new ArrayList<>();
        do {
            String field = read(cursor);
            if (field == null) {
                return null;
            }
            fields.add(field);
        } while (separator.pass(cursor));
        cursor.skipBlanks();
        return cursor.atLineEnd() ? fields : null;
    }

    private int readPlain(ByteCursor cursor) throws IOException {
        int length = 0;
        int end = 0;
        while (!cursor.atLineEnd() && !endsHere(cursor.peek())) {
            if (length == MAX_BYTES) {
                return NO_FIELD;
            }
            int next = cursor.peek();
            add(length++, next);
            end = next == ' ' || next == '\t' ? end : length;
            cursor.advance();
        }
        return end;
    }

    private boolean endsHere(int next) {
        return separator.symbol() == ' ' ? next == ' ' || next == '\t' : next == separator.symbol();
    }

    private int readQuoted(ByteCursor cursor) throws IOException {
        int length = 0;
        cursor.advance();
        while (!cursor.atLineEnd() && length < MAX_BYTES) {
            int next = cursor.peek();
            cursor.advance();
            if (next == QUOTE) {
                if (cursor.peek() != QUOTE) {
                    return length;
                }
                cursor.advance();
            }
            add(length++, next);
        }
        return NO_FIELD;
    }

    private void add(int index, int next) {
        if (index == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * index);
        }
        bytes[index] = (byte) next;
    }
}
