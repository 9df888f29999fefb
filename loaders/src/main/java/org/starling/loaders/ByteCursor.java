package org.starling.loaders;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * A cursor over the bytes of a text, with the few reading steps that parsers of graph formats need.
 *
 * <p>Confined to the thread that reads. Owns its stream and one buffer of {@link #BUFFER_BYTES};
 * lines may be longer than that. Bytes are taken one by one from the buffer, which the compiler
 * turns into some hundred megabytes a second.
 */
final class ByteCursor implements Closeable {

    /** What {@link #peek} answers after the last byte. */
    static final int END = -1;

    /** What {@link #unsignedLong} answers when there is no number, or one that is too large. */
    static final long NO_NUMBER = -1;

    /** Size of the buffer. */
    static final int BUFFER_BYTES = 1 << 18;

    private static final int RADIX = 10;
    private static final long LAST_TENTH = Long.divideUnsigned(-1, RADIX);
    private static final long LAST_DIGIT = Long.remainderUnsigned(-1, RADIX);

    private final InputStream stream;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private long id;
    // Offset in the text of the buffer's first byte.
    private long base;

    /**
     * A cursor before the stream's first byte.
     *
     * @param stream closed by {@link #close}
     * @param offset where in the text the stream begins
     */
    ByteCursor(InputStream stream, long offset) {
        this.stream = stream;
        this.base = offset;
    }

    /** The next byte, 0 to 255, or {@link #END}. */
    int peek() throws IOException {
        return position < limit || refill() ? buffer[position] & 0xFF : END;
    }

    /** Moves past the byte that {@link #peek} has shown. */
    void advance() {
        position++;
    }

    /** Offset in the text of the next byte. */
    long offset() {
        return base + position;
    }

    /** True if nothing or a line's end comes next. */
    boolean atLineEnd() throws IOException {
        int next = peek();
        return next == '\n' || next == '\r' || next == END;
    }

    /** Moves past all bytes equal to {@code blank}; says how many there were. */
    long skip(char blank) throws IOException {
        long count = 0;
        while (peek() == blank) {
            position++;
            count++;
        }
        return count;
    }

    /** Moves past blanks and tabs; says how many there were. */
    long skipBlanks() throws IOException {
        long count = 0;
        int next = peek();
        while (next == ' ' || next == '\t') {
            position++;
            count++;
            next = peek();
        }
        return count;
    }

    /** Moves past the end of this line; false if the text ended without one. */
    boolean skipLine() throws IOException {
        do {
            for (int at = position; at < limit; at++) {
                if (buffer[at] == '\n') {
                    position = at + 1;
                    return true;
                }
            }
            position = limit;
        } while (refill());
        return false;
    }

    /**
     * Reads digits.
     *
     * @return their value, or {@link #NO_NUMBER} if there are none or they exceed 2⁶³ − 1; the
     *     cursor then stands somewhere in the number
     */
    long unsignedLong() throws IOException {
        return readId() && id >= 0 ? id : NO_NUMBER;
    }

    /**
     * Reads digits that {@link #id} then answers.
     *
     * @return false if there are none or they exceed 2⁶⁴ − 1; the cursor then stands somewhere in
     *     the number
     */
    boolean readId() throws IOException {
        int digit = peek() - '0';
        if (digit < 0 || digit > 9) {
            return false;
        }
        long value = 0;
        while (digit >= 0 && digit <= 9) {
            boolean fits =
                    Long.compareUnsigned(value, LAST_TENTH) < 0
                            || (value == LAST_TENTH && digit <= LAST_DIGIT);
            if (!fits) {
                return false;
            }
            value = value * RADIX + digit;
            position++;
            digit = peek() - '0';
        }
        id = value;
        return true;
    }

    /** The id that was read last, unsigned. */
    long id() {
        return id;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }

    private boolean refill() throws IOException {
        base += position;
        position = 0;
        limit = 0;
        int read = stream.read(buffer, 0, buffer.length);
        limit = Math.max(read, 0);
        return limit > 0;
    }
}
