/**
 * Ways to write rows of neighbours: as they are, and as gaps in fewer bytes, with the two passes
 * over all rows that a graph engine lives of. {@code AdjacencyStudy} calls in; open {@link
 * org.starling.benchmarks.studies.adjacency.RowCoding} first.
 */
@NullMarked
package org.starling.benchmarks.studies.adjacency;

import org.jspecify.annotations.NullMarked;
