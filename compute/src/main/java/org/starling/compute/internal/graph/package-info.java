/**
 * A graph as it lies in the store: shards of vertex chunks, and the columns beside them.
 *
 * <p>Called by {@code build}, which makes graphs, and {@code run}, which runs programs on them.
 * Open {@link org.starling.compute.internal.graph.StoredGraph} first, then {@link
 * org.starling.compute.internal.graph.Rows} for the way from an ordinal to its neighbours.
 */
@NullMarked
package org.starling.compute.internal.graph;

import org.jspecify.annotations.NullMarked;
