/**
 * Making a graph of edges, on one slave and all together.
 *
 * <p>The way of data: an edge source's parts → records in native memory → ids sorted into ranges
 * and turned into ranks → degrees counted, and ordinals given out by them → edges sent to the
 * slaves of their ends and sorted into shards → rows without duplicates → chunks. Open {@link
 * org.starling.compute.internal.build.SlaveBuild} first: its public methods are the steps, in
 * order. Called by {@code group}.
 */
@NullMarked
package org.starling.compute.internal.build;

import org.jspecify.annotations.NullMarked;
