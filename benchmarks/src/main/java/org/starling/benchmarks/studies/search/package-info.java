/**
 * A breadth-first search that owns all its loops, to measure the engine's against. {@code
 * SearchStudy} calls in by name; open {@link org.starling.benchmarks.studies.search.OwnLoopSearch}
 * first.
 */
@NullMarked
package org.starling.benchmarks.studies.search;

import org.jspecify.annotations.NullMarked;
