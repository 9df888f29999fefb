/**
 * What all benches and studies measure with: JVMs of their own that answer line by line ({@link
 * org.starling.benchmarks.harness.ChildJvm}, whose other end is {@link
 * org.starling.benchmarks.harness.ParentLine}), threads that begin together, contenders that take
 * turns ({@link org.starling.benchmarks.harness.Contest}), and what can be said of a sample. Knows
 * nothing of what is measured.
 */
@NullMarked
package org.starling.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
