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
 */
record EdgeListFormat(
        Separator separator,
        boolean weighted,
        long header,
        boolean valued,
        PropertyColumns columns,
        @Nullable TableColumns table,
        boolean textIds) {
    /** Lines without a header. */
    EdgeListFormat(Separator separator, boolean weighted, boolean textIds) {
        this(separator, weighted, -1, false, PropertyColumns.NONE, null, textIds);
    }

    /** The same with ids that are numbers. */
    EdgeListFormat(Separator separator, boolean weighted) {
        this(separator, weighted, false);
    }

    /** The same, of another file, in which the header begins there; -1 if it has none. */
    EdgeListFormat withHeader(long at) {
        return new EdgeListFormat(separator, weighted, at, valued, columns, table, textIds);
    }
}
