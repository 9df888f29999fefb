/**
 * Calls between two ends over several technologies: the same calls, answered by the same {@link
 * org.starling.benchmarks.studies.calls.Service}, through our requests, plain sockets, Netty, and
 * HTTP with JSON or XML. Used by the studies that compare them; start with {@link
 * org.starling.benchmarks.studies.calls.Technology}.
 */
@NullMarked
package org.starling.benchmarks.studies.calls;

import org.jspecify.annotations.NullMarked;
