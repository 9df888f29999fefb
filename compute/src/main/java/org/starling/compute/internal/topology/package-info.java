/**
 * One slave's part in changes of the topology: what programs have asked for goes to the slaves that
 * it concerns, and becomes rows of a new version of the graph.
 *
 * <p>Called by {@code group} at the barrier behind a superstep with changes. Open {@link
 * org.starling.compute.internal.topology.VersionBuild} first; the rule is in {@code
 * docs/design/topology.md}.
 */
@NullMarked
package org.starling.compute.internal.topology;

import org.jspecify.annotations.NullMarked;
