/**
 * Calls between two ends over several technologies: the same calls, answered alike, through our
 * requests, plain sockets, and HTTP with JSON or XML. {@link
 * org.starling.benchmarks.studies.calls.PatternsStudy} compares them; a technology is a {@code
 * Technology}.
 */
@NullMarked
package org.starling.benchmarks.studies.calls;

import org.jspecify.annotations.NullMarked;
