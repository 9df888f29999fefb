/**
 * The engine: clusters that run graph programs in supersteps.
 *
 * <p>{@link org.starling.compute.ComputeCluster} is the door for commands and tests; it starts
 * nodes (room {@code store}), a slave on each peer and the master. Behind it, {@code
 * internal.group} has master and slaves, {@code internal.build} makes graphs, {@code internal.run}
 * runs programs, {@code internal.graph} is a graph as it lies in the store. Scripts are in {@code
 * script}.
 */
@NullMarked
package org.starling.compute;

import org.jspecify.annotations.NullMarked;
