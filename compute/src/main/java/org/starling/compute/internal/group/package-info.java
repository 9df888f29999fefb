/**
 * A compute group: the master's session and the slaves' services, and how they are started.
 *
 * <p>The way of a command: {@link org.starling.compute.internal.group.MasterSession} → {@link
 * org.starling.compute.internal.group.Group} (all slaves at once, wait for all) → {@link
 * org.starling.compute.internal.group.SlaveService} on each slave → {@code build} or {@code run}.
 * Open {@link org.starling.compute.internal.group.MasterSession} first.
 *
 * <p>When a slave is lost, {@link org.starling.compute.internal.group.RecoveryLoop} makes the group
 * whole and does the operation again, with what {@link
 * org.starling.compute.internal.group.Checkpoints} has kept; a new master begins with {@link
 * org.starling.compute.internal.group.MasterFailover}.
 */
@NullMarked
package org.starling.compute.internal.group;

import org.jspecify.annotations.NullMarked;
