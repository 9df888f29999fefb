/**
 * The directory under Raft: Apache Ratis runs one group of all superpeers, and its types stay in
 * here. Whoever starts a superpeer opens {@link
 * org.starling.store.internal.directory.raft.RaftDirectory}.
 */
@NullMarked
package org.starling.store.internal.directory.raft;

import org.jspecify.annotations.NullMarked;
