/**
 * One node at work: joining, heartbeats, members, names, and chunk operations that cross the
 * network. Called by {@code org.starling.store.StoreNode}; open {@link
 * org.starling.store.internal.node.Node} first, which puts everything together, then {@link
 * org.starling.store.internal.node.RoutedChunks} for the way of an operation and {@link
 * org.starling.store.internal.node.SuperpeerHost} for the other side of membership.
 */
@NullMarked
package org.starling.store.internal.node;

import org.jspecify.annotations.NullMarked;
