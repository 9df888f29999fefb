package org.starling.loaders;

/**
 * How the lines of an edge list are to be read.
 *
 * @param separator what stands between fields
 * @param weighted whether the third field is a weight
 */
record EdgeListFormat(Separator separator, boolean weighted) {}
