package org.starling.loaders;

import java.io.IOException;

/**
 * The lines of a text that have data: no comments, which begin with {@code #} or {@code %}, and no
 * empty ones.
 *
 * @param all number of lines passed, those without data included
 * @param data number of lines with data
 */
record DataLines(long all, long data) {
    private static final int[] BYTE_ORDER_MARK = {0xEF, 0xBB, 0xBF};

    /** Reads a line of data. */
    @FunctionalInterface
    interface Reader {
        /**
         * The cursor stands on the first character that is no blank; afterwards behind the line.
         */
        void read() throws IOException;
    }

    /**
     * Goes through all lines that begin before {@code end}.
     *
     * @param reader is called for each that has data
     */
    static DataLines read(ByteCursor cursor, long end, Reader reader) throws IOException {
        return read(cursor, end, Long.MAX_VALUE, reader);
    }

    /**
     * The same with comments only before an offset; lines behind it have data, however they begin.
     */
    static DataLines read(ByteCursor cursor, long end, long commentsEnd, Reader reader)
            throws IOException {
        long all = 0;
        long data = 0;
        skipMark(cursor);
        while (cursor.offset() < end && cursor.peek() != ByteCursor.END) {
            if (!passIdle(cursor, commentsEnd)) {
                reader.read();
                data++;
            }
            all++;
        }
        return new DataLines(all, data);
    }

    /** Moves to the first line of data; false if there is none. */
    static boolean findFirst(ByteCursor cursor) throws IOException {
        skipMark(cursor);
        while (passIdle(cursor, Long.MAX_VALUE)) {
            if (cursor.peek() == ByteCursor.END) {
                return false;
            }
        }
        return true;
    }

    /** Moves past a mark of UTF-8 at the beginning of a text. */
    static void skipMark(ByteCursor cursor) throws IOException {
        for (int at = 0; at < BYTE_ORDER_MARK.length && cursor.offset() == at; at++) {
            if (cursor.peek() == BYTE_ORDER_MARK[at]) {
                cursor.advance();
            }
        }
    }

    private static boolean passIdle(ByteCursor cursor, long commentsEnd) throws IOException {
        cursor.skipBlanks();
        int first = cursor.peek();
        boolean comment = (first == '#' || first == '%') && cursor.offset() < commentsEnd;
        if (comment || cursor.atLineEnd()) {
            cursor.skipLine();
            return true;
        }
        return false;
    }
}
