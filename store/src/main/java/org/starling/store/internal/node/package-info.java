/**
 * One node at work: joining, heartbeats, leases, members, names, jobs, and chunk operations that
 * cross the network. Called by {@code org.starling.store.StoreNode}; open {@link
 * org.starling.store.internal.node.Node} first, which puts everything together, then {@link
 * org.starling.store.internal.node.RoutedChunks} for the way of an operation, {@link
 * org.starling.store.internal.node.OwnedChunks} for what an owner of replicated chunks does, and
 * {@link org.starling.store.internal.node.Superpeer} with {@link
 * org.starling.store.internal.node.RecoveryCoordinator} for the other side of membership.
 */
@NullMarked
package org.starling.store.internal.node;

import org.jspecify.annotations.NullMarked;
