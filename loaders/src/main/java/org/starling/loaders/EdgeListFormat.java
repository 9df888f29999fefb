package org.starling.loaders;

/**
 * How the lines of an edge list are to be read.
 *
 * @param separator what stands between fields
 * @param weighted whether there is a weight: the third field, if there is no header
 * @param header where the header begins, {@code source,target,weight:float,since:int}; -1 if there
 *     is none
 * @param columns what the header says of edges
 * @param textIds whether ids are texts, and not numbers
 */
record EdgeListFormat(
        Separator separator,
        boolean weighted,
        long header,
        PropertyColumns columns,
        boolean textIds) {
    /** Lines without a header. */
    EdgeListFormat(Separator separator, boolean weighted, boolean textIds) {
        this(separator, weighted, -1, PropertyColumns.NONE, textIds);
    }

    /** The same with ids that are numbers. */
    EdgeListFormat(Separator separator, boolean weighted) {
        this(separator, weighted, false);
    }

    boolean hasHeader() {
        return header >= 0;
    }
}
