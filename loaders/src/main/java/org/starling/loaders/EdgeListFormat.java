package org.starling.loaders;

import org.jspecify.annotations.Nullable;

/**
 * How the lines of an edge list are to be read.
 *
 * @param separator what stands between fields
 * @param weighted whether there is a weight: the third field, if there is no header
 * @param header where the header begins, {@code source,target,weight:float,since:int}; -1 if there
 *     is none
 * @param valued whether lines are as a header says, that of this file or of another one
 * @param columns what the header says of edges
 * @param table where things stand if the columns have an order of their own; null if the ids come
 *     first
 * @param textIds whether ids are texts, and not numbers
 * @param commentsEnd lines that begin with {@code #} or {@code %} are comments if they stand before
 *     this offset; with ids that are texts that of the first line of data, as some begin so
 */
record EdgeListFormat(
        Separator separator,
        boolean weighted,
        long header,
        boolean valued,
        PropertyColumns columns,
        @Nullable TableColumns table,
        boolean textIds,
        long commentsEnd) {
    /** Lines without a header, and with ids that are numbers. */
    EdgeListFormat(Separator separator, boolean weighted) {
        this(separator, weighted, -1, false, PropertyColumns.NONE, null, false, Long.MAX_VALUE);
    }

    boolean hasHeader() {
        return header >= 0;
    }

    /**
     * The same, of another file.
     *
     * @param at where its header begins; -1 if it has none
     * @param firstData where its first line of data begins
     */
    EdgeListFormat ofFile(long at, long firstData) {
        return new EdgeListFormat(
                separator,
                weighted,
                at,
                valued,
                columns,
                table,
                textIds,
                textIds ? firstData : Long.MAX_VALUE);
    }
}
