package org.starling.graph;

/**
 * What a part of an edge source held.
 *
 * @param lines lines or records read, comments included
 * @param vertices vertices named on their own (METIS lines, vertex files)
 * @param entries neighbours or edges read, before any were dropped
 * @param checksum sum over entries that the source can use to compare parts; 0 if unused
 * @param skipped lines that made no sense and were passed over, because the source was told to
 * @param firstSkipped where the first of these begin, as the source counts; at most {@link
 *     #MAX_FIRST_SKIPPED}
 */
@SuppressWarnings("ArrayRecordComponent") // travels as it is; nobody compares summaries
public record PartSummary(
        long lines, long vertices, long entries, long checksum, long skipped, long[] firstSkipped) {
    /** Of how many skipped lines a summary says where they are. */
    public static final int MAX_FIRST_SKIPPED = 10;

    /** A part of which nothing was passed over. */
    public PartSummary(long lines, long vertices, long entries, long checksum) {
        this(lines, vertices, entries, checksum, 0, new long[0]);
    }
}
