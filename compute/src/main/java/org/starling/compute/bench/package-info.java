/**
 * What a measurement is that people start by name and that needs no cluster: {@link
 * org.starling.compute.bench.Bench}, found through {@code ServiceLoader}. Rooms that measure
 * implement it, the command line calls it; this package knows nobody.
 */
@NullMarked
package org.starling.compute.bench;

import org.jspecify.annotations.NullMarked;
