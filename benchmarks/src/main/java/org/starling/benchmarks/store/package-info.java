/**
 * What reading and writing chunks costs: in the memory of the node that asks, at the owner of
 * replicated ones, and at another node over Ethernet ({@link
 * org.starling.benchmarks.store.StoreBench}). Called through {@code ServiceLoader} by whoever runs
 * benches.
 */
@NullMarked
package org.starling.benchmarks.store;

import org.jspecify.annotations.NullMarked;
