package org.starling.graph;

/**
 * What a part of an edge source held.
 *
 * @param lines lines or records read, comments included
 * @param vertices vertices named on their own (METIS lines, vertex files)
 * @param entries neighbours or edges read, before any were dropped
 * @param checksum sum over entries that the source can use to compare parts; 0 if unused
 */
public record PartSummary(long lines, long vertices, long entries, long checksum) {}
